import RTP

/// Packets of a source that is not received yet, kept until it is: its voice then begins with its first packet.
package struct PendingPackets {
  /// Packet of the source.
  package struct Packet {
    package let bytes: [UInt8]
    package let arrival: Int
  }

  /// Longest time that a packet is kept, in nanoseconds. A source that sends steadily is received at the latest 900 ms
  /// after the last packet of the one before.
  private static let longestNanoseconds = 1_200_000_000
  /// Maximum of packets: as many packets of 2.5 ms, the shortest, come in the longest time.
  private static let capacity = 480

  private var ssrc: UInt32?
  private var packets: [Packet] = []

  /// Keeps a packet of a source that is not the stream's. If several sources send at a time, it keeps the packets of
  /// one.
  mutating func keep(_ packet: UnsafeRawBufferPointer, ssrc: UInt32, arrival: Int) {
    if self.ssrc != ssrc {
      if let newest = packets.last, arrival - newest.arrival <= SourceArbiter.longestClaimGapNanoseconds { return }
      packets = []
      self.ssrc = ssrc
    }
    packets.removeAll { arrival - $0.arrival > Self.longestNanoseconds }
    if packets.count == Self.capacity { packets.removeFirst() }
    packets.append(Packet(bytes: Array(packet), arrival: arrival))
  }

  /// Takes the packets of a source that is received from now on.
  mutating func take(ssrc: UInt32, now: Int) -> [Packet] {
    defer { self = PendingPackets() }
    return self.ssrc == ssrc ? packets.filter { now - $0.arrival <= Self.longestNanoseconds } : []
  }
}
