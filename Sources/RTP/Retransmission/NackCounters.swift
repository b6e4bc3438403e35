/// What has become of the packets that were found missing.
public struct NackCounters: Hashable, Sendable, BitwiseCopyable {
  /// Packets found missing, because a later one came.
  public internal(set) var missing = 0
  /// Requests for packets; one that is asked for twice counts twice.
  public internal(set) var asked = 0
  /// Missing packets that came of themselves: before they had been asked for, or before an answer could.
  public internal(set) var late = 0
  /// Missing packets that came after they had been asked for.
  public internal(set) var recovered = 0
  /// Those of them that came when they had been given up already.
  public internal(set) var recoveredLate = 0
  /// Missing packets that were given up, because their time was over, and have not come within 500 ms.
  public internal(set) var givenUp = 0

  @_noLocks
  init() {}

  static func + (a: NackCounters, b: NackCounters) -> NackCounters {
    var sum = a
    sum.missing += b.missing
    sum.asked += b.asked
    sum.late += b.late
    sum.recovered += b.recovered
    sum.recoveredLate += b.recoveredLate
    sum.givenUp += b.givenUp
    return sum
  }
}
