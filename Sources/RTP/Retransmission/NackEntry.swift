/// State of one sequence number of a stream.
struct NackEntry: BitwiseCopyable {
  /// Value of an unknown timestamp.
  static var unknownTimestamp: Int { @_noLocks get { .max } }

  /// Sequence number; initially that of no packet.
  var sequenceNumber = Int.min
  /// Whether the packet has not arrived, and is awaited.
  var isMissing = false
  /// Whether the packet was given up before it arrived.
  var isGivenUp = false
  var wasAsked = false
  /// Whether the packet was requested again, so that a second answer may come.
  var wasRepeated = false
  /// Whether the first arrival was taken for an answer.
  var isAnswered = false
  /// Whether the answer came after the packet had been given up.
  var isAnsweredLate = false
  /// Whether an answer would have been too late when the request was due.
  var isBeyondHelp = false
  var foundNanoseconds = 0
  /// Beginning and end of the sound, in RTP's units.
  var beginTimestamp = NackEntry.unknownTimestamp
  var endTimestamp = NackEntry.unknownTimestamp
  /// Times of the first and of the last request.
  var firstAskedNanoseconds = 0
  var askedNanoseconds = 0

  @_noLocks
  init() {}

  /// Creates the state of a number that has just arrived, or has just been found missing.
  @_noLocks
  init(_ sequenceNumber: Int, isMissing: Bool, nowNanoseconds: Int) {
    self.sequenceNumber = sequenceNumber
    self.isMissing = isMissing
    foundNanoseconds = nowNanoseconds
  }
}
