import Metering

/// The packets that the frames played last came from, by user and channel; one observer serves any number of users.
final class PlayoutTraces: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): a call is made, ticks and reads on one thread.
  private var traces: [SpeakerID: PlayoutTrace] = [:]

  /// Starts to follow a user.
  func add(_ speaker: SpeakerID) -> PlayoutTrace {
    let trace = PlayoutTrace()
    traces[speaker] = trace
    return trace
  }

  func see(_ speaker: SpeakerID, _ timestamp: UInt32?) { traces[speaker]?.see(timestamp) }
}
