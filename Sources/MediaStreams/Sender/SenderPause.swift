/// A voice that is muted or not captured, as its packets tell it.
///
/// Real-time: wait-free.
struct SenderPause {
  /// Frames since the voice was muted or not captured any more.
  var mutedFrames = 0
  /// Frames until a packet announces the pause again.
  var framesToMutedPacket = 0
  /// The first byte of the newest payload; nil before one.
  var newestFirstByte: UInt8?
}
