import Calls

/// Work for a client's thread.
enum SignalRequest: Sendable {
  case send(OutgoingMessage)
  /// A message that is refused already; the thread calls its completion.
  case refuse(OutgoingMessage.Completion, SignalError)
  case open(OpenRequest)
}

/// Call of `open` that waits.
struct OpenRequest: Sendable {
  let deadlineNanoseconds: Int
  let continuation: CheckedContinuation<Result<Void, SignalError>, Never>
}
