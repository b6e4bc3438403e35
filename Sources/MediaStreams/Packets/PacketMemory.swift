/// Owns the bytes of a ring of packets.
final class PacketMemory: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the pointer never changes; who may touch which slot is settled by the ring.

  /// Bytes of the longest packet that is taken: what an Ethernet frame carries.
  static let bytesPerPacket = 1_500

  private let base: UnsafeMutableRawPointer

  init(count: Int) { base = .allocate(byteCount: max(1, count) * Self.bytesPerPacket, alignment: 16) }

  deinit { base.deallocate() }

  subscript(index: Int) -> UnsafeMutableRawPointer { base + index * Self.bytesPerPacket }
}
