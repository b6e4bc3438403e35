import RTP

/// The newest packets of a publisher, for listeners that begin to hear it: the beginning of a word comes with them.
///
/// Thread: one at a time.
struct HeldPackets: ~Copyable {
  /// Age of the oldest packet, in nanoseconds.
  static let nanoseconds = 200_000_000
  /// Packets of 200 ms, at 10 ms each.
  private static let capacity = 20

  /// A packet that is kept.
  struct Packet {
    let sequence: Int
    let position: Int
    let nanoseconds: Int
  }

  private var ring = SentPackets(historyNanoseconds: nanoseconds, largestByteCount: 32_768)
  private var packets: [Packet] = []

  init() {}

  /// Keeps a copy of a packet.
  mutating func append(_ bytes: UnsafeRawBufferPointer, sequence: Int, nowNanoseconds now: Int) {
    guard let position = ring.append(bytes, nowNanoseconds: now) else { return }
    if packets.count == Self.capacity { packets.removeFirst() }
    packets.append(Packet(sequence: sequence, position: position, nanoseconds: now))
  }

  /// Returns the packets of the last 200 ms in the order of their numbers.
  func newest(_ now: Int) -> [Packet] {
    packets.filter { now &- $0.nanoseconds < Self.nanoseconds }.sorted { $0.sequence < $1.sequence }
  }

  /// Returns the bytes of a packet; nil if it has been overwritten.
  func bytes(of packet: Packet) -> UnsafeRawBufferPointer? { ring.packet(at: packet.position) }

  /// Forgets all packets: those of another stream follow.
  mutating func removeAll() { packets = [] }
}
