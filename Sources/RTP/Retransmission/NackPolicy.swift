/// Conditions for requests of missing packets.
public struct NackPolicy: Hashable, Sendable, BitwiseCopyable {
  /// Time after which a missing packet is given up, in nanoseconds.
  public var historyNanoseconds: Int
  /// Headroom of requests, in nanoseconds. Packets are requested while the round trip is shorter than the buffer's
  /// target delay + this, and each while its answer can still be played.
  public var headroomNanoseconds: Int
  /// Longest wait before a request, in nanoseconds. A missing packet may only have been overtaken. If that has been
  /// seen, requests wait for as long as it took, but no longer than this; if not, they leave at once.
  public var patienceNanoseconds: Int
  /// Wait in nanoseconds, after a round trip without an answer, before a request is repeated.
  public var repetitionNanoseconds: Int

  /// Creates a policy; by default 500 ms of history, 60 ms of headroom, 100 ms of patience, and a frame for an answer.
  @_noLocks
  public init(
    historyNanoseconds: Int = 500_000_000, headroomNanoseconds: Int = 60_000_000,
    patienceNanoseconds: Int = 100_000_000, repetitionNanoseconds: Int = 10_000_000
  ) {
    precondition(
      historyNanoseconds >= 0 && patienceNanoseconds >= 0 && repetitionNanoseconds >= 0, "time runs forward")
    self.historyNanoseconds = historyNanoseconds
    self.headroomNanoseconds = headroomNanoseconds
    self.patienceNanoseconds = patienceNanoseconds
    self.repetitionNanoseconds = repetitionNanoseconds
  }

  /// Returns whether requests are useful at all: an answer arrives before the buffer runs empty.
  ///
  /// Real-time: wait-free.
  ///
  /// - Parameters:
  ///   - roundTripNanoseconds: round trip; nil if unknown, and nothing is requested then.
  ///   - targetDelayNanoseconds: target delay of the buffer.
  @_noLocks
  public func allowsAsking(roundTripNanoseconds: Int?, targetDelayNanoseconds: Int) -> Bool {
    guard let roundTripNanoseconds else { return false }
    return roundTripNanoseconds < targetDelayNanoseconds &+ headroomNanoseconds
  }

  /// Returns whether a buffer may grow for answers. Without FEC, it may whenever packets are requested. With FEC, which
  /// recovers most losses without answers, it may if answers come within the headroom alone.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public func allowsWaiting(roundTripNanoseconds: Int?, hasFEC: Bool) -> Bool {
    guard let roundTripNanoseconds else { return false }
    return !hasFEC || roundTripNanoseconds < headroomNanoseconds
  }

  /// Returns the time from the playout of a timestamp until a later one is needed. Sound is rendered 10 ms at a time,
  /// and a frame's lookahead is needed with it.
  ///
  /// Real-time: wait-free.
  ///
  /// - Parameter timestamps: units of 48 kHz from the one to the other.
  @_noLocks
  func nanosecondsUntilNeeded(_ timestamps: Int) -> Int { (timestamps &- 16) / 480 &* 10_000_000 }

  /// Converts units of 48 kHz to nanoseconds. Requests are for streams with that clock only.
  @_noLocks
  static func nanoseconds(_ timestamps: Int) -> Int { timestamps &* 62_500 / 3 }
}
