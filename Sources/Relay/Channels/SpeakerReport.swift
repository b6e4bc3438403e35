/// Reports of the speakers to a listener that wants them.
struct SpeakerReport {
  /// Time between two reports to a listener, in nanoseconds.
  static let intervalNanoseconds = 1_000_000_000

  let isWanted: Bool
  /// Speakers that the client knows, in ascending order; nil for all users.
  var known: [UInt32]?
  var reportedNanoseconds = Int.min / 2
  /// Time of the next report; nil if none is needed.
  var dueNanoseconds: Int?

  /// Requests a report, one interval behind the last.
  mutating func request() { dueNanoseconds = reportedNanoseconds &+ Self.intervalNanoseconds }
}
