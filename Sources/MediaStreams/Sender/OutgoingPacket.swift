/// A packet on its way from the audio thread to the network's; a slot of a ring with memory of its own.
struct OutgoingPacket: BitwiseCopyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the bytes belong to whom the ring has given the slot to.
  let bytes: UnsafeMutableRawPointer
  var byteCount: Int
  /// The tick that completed it, in nanoseconds of the engine's clock.
  var time: Int

  init(bytes: UnsafeMutableRawPointer) {
    self.bytes = bytes
    byteCount = 0
    time = 0
  }
}
