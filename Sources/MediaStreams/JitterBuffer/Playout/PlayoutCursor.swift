/// Position of a receiver in its sender's numbers and timestamps.
struct PlayoutCursor {
  /// Number of the next packet to be decoded.
  var nextSequence = 0
  /// Sender's timestamp behind the last sample that waits.
  var endTimestamp = 0
  /// Sender's timestamp behind the last sample that was decoded.
  var decodedEnd = Int.min
  /// Samples since concealment had faded out; 0 while something is heard.
  var frozenRun = 0
}
