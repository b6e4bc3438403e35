/// State of a voice that is muted, not captured or not sent, for its packets.
///
/// Real-time: wait-free.
struct SenderPause {
  /// Frames since the voice was muted or no longer captured.
  var mutedFrames = 0
  /// Frames until a packet announces the pause again.
  var framesToMutedPacket = 0
  /// Number of times that sending has begun.
  var startCount = 0
  /// First byte of the newest payload; nil before one.
  var newestFirstByte: UInt8?
}
