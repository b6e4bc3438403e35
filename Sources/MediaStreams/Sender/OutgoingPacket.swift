/// Packet between the audio thread and the network's thread; a slot of a ring with memory of its own.
struct OutgoingPacket: BitwiseCopyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the bytes belong to the thread that the ring has given the slot to.
  let bytes: UnsafeMutableRawPointer
  var byteCount: Int
  /// Time of the tick that completed the packet, in nanoseconds of the engine's clock.
  var time: Int

  init(bytes: UnsafeMutableRawPointer) {
    self.bytes = bytes
    byteCount = 0
    time = 0
  }
}
