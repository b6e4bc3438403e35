/// Frames that a receiver has rendered.
struct RenderedFrames {
  /// Frames rendered so far.
  var frameCount = 0
  /// Time of rendering of the newest frame, in nanoseconds.
  var newestNanoseconds = 0
  /// Frames since the delay was last changed by a splice.
  var framesSinceSplice = 0
  /// Samples rendered up to the end of the last frame with sound out of a packet.
  var soundEnd = 0
}
