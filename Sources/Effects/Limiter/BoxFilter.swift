/// The sum of the newest integers; exact, however long it runs.
struct BoxFilter: ~Copyable {
  private let length: Int
  private let values: UnsafeMutablePointer<Int>
  private var position = 0
  private var sum: Int

  /// Creates a window of `length` values that are all `initial`.
  init(length: Int, initial: Int) {
    self.length = length
    values = .allocate(capacity: length)
    values.initialize(repeating: initial, count: length)
    sum = length * initial
  }

  deinit { values.deallocate() }

  /// Takes the next value and returns the sum of the window that ends with it.
  @_noLocks @inline(__always)
  mutating func push(_ value: Int) -> Int {
    sum &+= value &- values[position]
    values[position] = value
    position = position &+ 1 == length ? 0 : position &+ 1
    return sum
  }
}
