/// Owns the bytes of a ring of packets.
final class PacketMemory: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the pointer never changes; the ring settles which thread may touch which slot.

  /// Bytes of the longest packet that is taken: the capacity of an Ethernet frame.
  static let bytesPerPacket = 1_500

  private let base: UnsafeMutableRawPointer

  init(count: Int) { base = .allocate(byteCount: max(1, count) * Self.bytesPerPacket, alignment: 16) }

  deinit { base.deallocate() }

  subscript(index: Int) -> UnsafeMutableRawPointer { base + index * Self.bytesPerPacket }
}
