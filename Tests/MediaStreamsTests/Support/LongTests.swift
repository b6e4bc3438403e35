/// How tests that can take minutes are built.
enum LongTests {
  /// Whether tests are built with optimisation, and so a hundred times faster in loops over samples.
  static var areOptimised: Bool {
    var isDebug = false
    assert(
      {
        isDebug = true; return true
      }())
    return !isDebug
  }
}
