extension Duration {
  /// Duration in nanoseconds, the unit of virtual time, rounded towards zero.
  package var wholeNanoseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }
}
