import RTP

/// Packets of a source that is not heard yet, for when it is: its voice then begins with its first packet.
struct PendingPackets {
  struct Packet {
    let bytes: [UInt8]
    let arrival: Int
  }

  /// A source is heard at the latest when the one before has been silent for 2 s; more would only be left out faster.
  private static let longestNanoseconds = 1_000_000_000
  /// As many packets of 10 ms.
  private static let capacity = 100

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
