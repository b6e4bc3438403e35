/// When a missing packet is worth asking for.
public struct NackPolicy: Hashable, Sendable, BitwiseCopyable {
  /// A packet that has been missing for longer is given up.
  public var historyNanoseconds: Int
  /// Packets are asked for while the round trip is shorter than the buffer's target delay and this together, and each
  /// while its answer can still be played.
  public var headroomNanoseconds: Int
  /// What is missing may only have been overtaken. Where that has been seen, packets are asked for when they have been
  /// missing for as long as it took, but for no longer than this; where it has not, at once.
  public var patienceNanoseconds: Int
  /// And again when an answer should have come: after the round trip and this.
  public var repetitionNanoseconds: Int

  /// A policy; by default 500 ms of history, 60 ms of headroom, 100 ms of patience, and a frame for an answer.
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

  /// Whether asking makes sense at all: an answer comes back before the buffer runs out of what it has.
  ///
  /// Real-time: wait-free.
  ///
  /// - Parameter roundTripNanoseconds: nil as long as it is not known; then nothing is asked for.
  @_noLocks
  public func allowsAsking(roundTripNanoseconds: Int?, targetDelayNanoseconds: Int) -> Bool {
    guard let roundTripNanoseconds else { return false }
    return roundTripNanoseconds < targetDelayNanoseconds &+ headroomNanoseconds
  }

  /// Whether a buffer may grow for answers: wherever packets are asked for, or, where FEC rebuilds most of what is lost
  /// without them, where they come within the headroom alone.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public func allowsWaiting(roundTripNanoseconds: Int?, hasFEC: Bool) -> Bool {
    guard let roundTripNanoseconds else { return false }
    return !hasFEC || roundTripNanoseconds < headroomNanoseconds
  }

  /// How long it is from when a timestamp is heard until a later one is needed: sound is rendered 10 ms at a time, and
  /// what a frame looks ahead for is needed with it.
  ///
  /// Real-time: wait-free.
  ///
  /// - Parameter timestamps: units of 48 kHz from the one to the other.
  @_noLocks
  func nanosecondsUntilNeeded(_ timestamps: Int) -> Int { (timestamps &- 16) / 480 &* 10_000_000 }
}
