/// A few of the newest sequence numbers.
///
/// Real-time: wait-free.
struct RecentSequences: BitwiseCopyable {
  private var numbers = SIMD16<Int>(repeating: .min)
  private var next = 0

  @_noLocks
  init() {}

  /// Keeps a number in place of the oldest.
  @_noLocks
  mutating func insert(_ sequence: Int) {
    numbers[next] = sequence
    next = (next &+ 1) & 15
  }

  @_noLocks
  func contains(_ sequence: Int) -> Bool {
    for index in 0..<16 where numbers[index] == sequence { return true }
    return false
  }

  /// Forgets a number.
  ///
  /// - Returns: whether it was there.
  @_noLocks
  mutating func remove(_ sequence: Int) -> Bool {
    for index in 0..<16 where numbers[index] == sequence {
      numbers[index] = .min
      return true
    }
    return false
  }

  @_noLocks
  mutating func reset() { numbers = SIMD16<Int>(repeating: .min) }
}
