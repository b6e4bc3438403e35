extension Duration {
  /// Length in seconds.
  var seconds: Double { self / .seconds(1) }
}
