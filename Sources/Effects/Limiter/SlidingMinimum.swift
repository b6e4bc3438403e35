/// The smallest of the newest values, at constant cost per value on average.
///
/// Values of 1 are not kept: an empty window's minimum is 1. Values that a newer one undercuts are not kept, either, so
/// the first kept value is the minimum (the monotonic wedge; Lemire 2006).
struct SlidingMinimum: ~Copyable {
  private let length: Int
  private let mask: Int
  private let values: UnsafeMutablePointer<Float>
  private let times: UnsafeMutablePointer<Int>
  private var first = 0
  private var end = 0
  private var now = 0

  /// Creates a window of the newest `length` values.
  init(length: Int) {
    self.length = length
    var capacity = 1
    while capacity < length + 1 { capacity *= 2 }
    mask = capacity - 1
    values = .allocate(capacity: capacity)
    values.initialize(repeating: 1, count: capacity)
    times = .allocate(capacity: capacity)
    times.initialize(repeating: 0, count: capacity)
  }

  deinit {
    values.deallocate()
    times.deallocate()
  }

  /// Takes the next value, 0...1, and returns the minimum of the window that ends with it.
  @_noLocks @inline(__always)
  mutating func push(_ value: Float) -> Float {
    now &+= 1
    if first != end, times[first & mask] <= now &- length { first &+= 1 }
    if value < 1 {
      while first != end, values[(end &- 1) & mask] >= value { end &-= 1 }
      values[end & mask] = value
      times[end & mask] = now
      end &+= 1
    }
    return first == end ? 1 : values[first & mask]
  }
}
