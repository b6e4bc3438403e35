import Transport

/// A packet on its way from the network's thread to the audio thread; a slot of a ring with memory of its own.
struct IncomingPacket: BitwiseCopyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the bytes belong to whom the ring has given the slot to.
  let bytes: UnsafeMutableRawPointer
  var byteCount: Int
  /// When it came, in nanoseconds of the engine's clock.
  var arrival: Int
  /// Whether it came as it was first sent.
  var origin: PacketOrigin

  init(bytes: UnsafeMutableRawPointer) {
    self.bytes = bytes
    byteCount = 0
    arrival = 0
    origin = .first
  }
}
