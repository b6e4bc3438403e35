extension Duration {
  /// The duration in nanoseconds, as virtual time is counted, rounded towards zero.
  package var wholeNanoseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }
}
