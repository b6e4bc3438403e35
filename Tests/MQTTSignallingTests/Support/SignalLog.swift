import Calls
import Synchronization

/// Messages, lines and results that a client has reported.
final class SignalLog: SignalListener {
  struct Message: Hashable {
    let text: String
    let userID: String
  }

  private struct State {
    var messages: [Message] = []
    var lines: [(text: String, level: CallLogLevel)] = []
    var results: [Result<Void, SignalError>] = []
  }

  private let state = Mutex(State())

  var messages: [Message] { state.withLock { $0.messages } }
  var texts: [String] { messages.map(\.text) }
  var resultCount: Int { state.withLock { $0.results.count } }

  /// Errors of completions, oldest first; nil for successes.
  var errors: [SignalError?] {
    state.withLock { $0.results.map { if case .failure(let error) = $0 { error } else { nil } } }
  }

  func hasLine(_ part: String, _ level: CallLogLevel) -> Bool {
    state.withLock { $0.lines.contains { $0.text.contains(part) && $0.level == level } }
  }

  var lines: [String] { state.withLock { $0.lines.map(\.text) } }

  /// Completion that is noted here.
  var completion: @Sendable (Result<Void, SignalError>) -> Void {
    { result in self.state.withLock { $0.results.append(result) } }
  }

  func onMessageReceive(_ message: String, from userID: String) {
    state.withLock { $0.messages.append(Message(text: message, userID: userID)) }
  }

  func debugInfo(_ message: String, level: CallLogLevel) { state.withLock { $0.lines.append((message, level)) } }
}
