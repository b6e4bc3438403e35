/// Step of a connection's present attempt.
enum ConnectionPhase: Hashable {
  /// No attempt: before the start, after a leave, after a failure.
  case idle
  /// The next attempt starts at this time.
  case waiting(untilNanoseconds: Int)
  /// The WebSocket opens.
  case opening
  /// `hello` waits for its answer.
  case greeting
  /// `join` waits for its answer.
  case joining
  /// The transport connects.
  case connecting
  /// The channel is joined, and packets pass.
  case connected
  /// `leave` waits for its answer.
  case leaving

  /// Whether messages can be sent.
  var hasSignalling: Bool {
    switch self {
    case .greeting, .joining, .connecting, .connected, .leaving: true
    case .idle, .waiting, .opening: false
    }
  }
}
