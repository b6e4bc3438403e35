/// What is known of one sequence number of a stream.
struct NackEntry: BitwiseCopyable {
  /// Where a timestamp is not known.
  static var unknownTimestamp: Int { @_noLocks get { .max } }

  /// No packet's number to begin with.
  var sequenceNumber = Int.min
  /// It has not come, and is waited for.
  var isMissing = false
  /// It had not come when nobody waited for it any more.
  var isGivenUp = false
  var wasAsked = false
  /// Asked for again: a second answer may come.
  var wasRepeated = false
  /// What came first was taken for an answer.
  var isAnswered = false
  /// The answer came after it had been given up.
  var isAnsweredLate = false
  /// When it was due to be asked for, an answer would have been too late.
  var isBeyondHelp = false
  var foundNanoseconds = 0
  /// Where its sound begins and ends, in RTP's units.
  var beginTimestamp = NackEntry.unknownTimestamp
  var endTimestamp = NackEntry.unknownTimestamp
  /// When it was first asked for, and when last.
  var firstAskedNanoseconds = 0
  var askedNanoseconds = 0

  @_noLocks
  init() {}

  /// A number that has just come, or has just been found missing.
  @_noLocks
  init(_ sequenceNumber: Int, isMissing: Bool, nowNanoseconds: Int) {
    self.sequenceNumber = sequenceNumber
    self.isMissing = isMissing
    foundNanoseconds = nowNanoseconds
  }
}
