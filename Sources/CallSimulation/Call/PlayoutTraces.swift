/// The packets that the frames played last came from, by user; one observer serves any number of users.
final class PlayoutTraces: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): a call is made, ticks and reads on one thread.
  private var traces: [UInt32: PlayoutTrace] = [:]

  /// Starts to follow a user.
  func add(_ uid: UInt32) -> PlayoutTrace {
    let trace = PlayoutTrace()
    traces[uid] = trace
    return trace
  }

  func see(_ uid: UInt32, _ timestamp: UInt32?) { traces[uid]?.see(timestamp) }
}
