extension Duration {
  /// Nanoseconds, at least 0 and at most 10^18.
  package var clampedNanoseconds: Int { Int(max(0, min(1e18, self / .nanoseconds(1)))) }
}
