/// Outcome of the packets that were found missing.
public struct NackCounters: Hashable, Sendable, BitwiseCopyable {
  /// Packets found missing, because a later one came.
  public internal(set) var missing = 0
  /// Requests for packets; a packet that is requested twice counts twice.
  public internal(set) var requested = 0
  /// Missing packets that arrived by themselves: before a request, or before an answer to it could.
  public internal(set) var late = 0
  /// Missing packets that arrived after a request.
  public internal(set) var recovered = 0
  /// Recovered packets that had been given up already.
  public internal(set) var recoveredLate = 0
  /// Missing packets that were given up, because their time was over, and have not arrived within 500 ms.
  public internal(set) var givenUp = 0

  @_noLocks
  init() {}

  static func + (a: NackCounters, b: NackCounters) -> NackCounters {
    var sum = a
    sum.missing += b.missing
    sum.requested += b.requested
    sum.late += b.late
    sum.recovered += b.recovered
    sum.recoveredLate += b.recoveredLate
    sum.givenUp += b.givenUp
    return sum
  }
}
