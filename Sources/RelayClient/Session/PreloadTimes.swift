/// Times of a preload so far, in nanoseconds. The transport checks its path every 4 to 6 s.
struct PreloadTimes {
  /// Silence of the relay after which the transport is replaced: at least two checks without an answer.
  static let silence = 15_000_000_000
  /// Silence of the relay after which the path may be gone: a check without an answer.
  static let freshness = 8_000_000_000

  /// Time at which the present step has taken too long.
  var step = 0
  /// Time at which the transport was connected.
  var ready = 0
  /// Time at which attempts without a success end.
  var patience = 0
}
