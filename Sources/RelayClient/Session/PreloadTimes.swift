/// Times of a preload so far, in nanoseconds.
struct PreloadTimes {
  /// Time between two checks of the path.
  static let keepAlive = 5_000_000_000
  /// Silence of the relay after which the transport is replaced: three checks without an answer.
  static let silence = 15_000_000_000

  /// Time at which the present step has taken too long.
  var step = 0
  /// Newest check of the path.
  var check = 0
  /// Time at which attempts without a success end.
  var patience = 0
}
