import RTP

/// Packets of a source that is not heard yet, for when it is: its voice then begins with its first packet.
package struct PendingPackets {
  /// One of them.
  package struct Packet {
    package let bytes: [UInt8]
    package let arrival: Int
  }

  /// A source that sends steadily is heard at the latest 900 ms after the last packet of the one before.
  private static let longestNanoseconds = 1_200_000_000
  /// As many packets of 2.5 ms, the shortest.
  private static let capacity = 480

  private var ssrc: UInt32?
  private var packets: [Packet] = []

  /// Keeps a packet of a source that is not the stream's. Of several that send at a time, it keeps those of one.
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

  /// Takes what has come of a source that is heard from now on.
  mutating func take(ssrc: UInt32, now: Int) -> [Packet] {
    defer { self = PendingPackets() }
    return self.ssrc == ssrc ? packets.filter { now - $0.arrival <= Self.longestNanoseconds } : []
  }
}
