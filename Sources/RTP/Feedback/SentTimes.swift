/// Numbers that a stream had reached at times of the last seconds, to a tenth of a second.
///
/// Real-time: wait-free. Its memory is allocated at initialization.
struct SentTimes: ~Copyable {
  private struct Mark: BitwiseCopyable {
    var number = 0
    var nanoseconds = 0

    @_noLocks
    init() {}
  }

  /// Number of marks: 6.4 s, more than any round trip over which a conversation is possible.
  private static var capacity: Int { @_noLocks get { 64 } }
  private static var stepNanoseconds: Int { @_noLocks get { 100_000_000 } }

  private let marks: UnsafeMutablePointer<Mark>
  /// Number of marks set so far.
  private var count = 0

  init() {
    marks = .allocate(capacity: SentTimes.capacity)
    marks.initialize(repeating: Mark(), count: SentTimes.capacity)
  }

  deinit { marks.deallocate() }

  /// Notes a packet that leaves now.
  @_noLocks
  mutating func note(_ number: Int, nowNanoseconds now: Int) {
    if count > 0 {
      let newest = marks[(count &- 1) & (SentTimes.capacity &- 1)].nanoseconds
      guard now &- newest >= SentTimes.stepNanoseconds else { return }
    }
    let index = count & (SentTimes.capacity &- 1)
    marks[index].number = number
    marks[index].nanoseconds = now
    count = count &+ 1
  }

  /// Returns a number that had left by a time: the last one, or one up to a tenth of a second before it. nil if that is
  /// no longer known.
  @_noLocks
  func number(atNanoseconds time: Int) -> Int? {
    var index = count
    let oldest = count > SentTimes.capacity ? count &- SentTimes.capacity : 0
    while index > oldest {
      index = index &- 1
      let mark = marks[index & (SentTimes.capacity &- 1)]
      if mark.nanoseconds <= time { return mark.number }
    }
    return nil
  }

  /// Returns the time at which a number left, up to a tenth of a second early, or the earliest time remembered; nil
  /// without one.
  @_noLocks
  func nanoseconds(of number: Int) -> Int? {
    var index = count
    let oldest = count > SentTimes.capacity ? count &- SentTimes.capacity : 0
    var time: Int?
    while index > oldest {
      index = index &- 1
      let mark = marks[index & (SentTimes.capacity &- 1)]
      time = mark.nanoseconds
      if mark.number <= number { break }
    }
    return time
  }

  /// Forgets the stream.
  @_noLocks
  mutating func reset() { count = 0 }
}
