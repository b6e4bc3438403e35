import Calls
import NetworkIO
import Platform

/// Requests for a client's thread. Thread: any.
final class SignalMailbox: Sendable {
  /// Most messages that wait.
  static let capacity = 256

  private struct State {
    var requests: [SignalRequest] = []
    /// Messages among the requests.
    var requestedCount = 0
    /// Messages that the thread has taken and not published.
    var queuedCount = 0
    var isStopping = false
    var hasEnded = false
  }

  private let state = Guarded(State())
  private let bell = WakeDescriptor()

  /// Descriptor for `poll`: readable when there are requests.
  var descriptor: Int32 { bell.descriptor }

  /// Whether the thread shall end.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Posts a request. A message beyond the capacity becomes a refusal with the error.
  ///
  /// - Returns: false if the thread has ended, or is about to: nobody will see the request.
  func post(_ request: SignalRequest, beyondCapacity error: @autoclosure () -> SignalError) -> Bool {
    let isPosted = state.withLock { state in
      guard !state.hasEnded else { return false }
      guard case .send(let message) = request else {
        state.requests.append(request)
        return true
      }
      if state.requestedCount + state.queuedCount < Self.capacity {
        state.requestedCount += 1
        state.requests.append(request)
      } else {
        state.requests.append(.refuse(message.completion, error()))
      }
      return true
    }
    if isPosted { bell.wake() }
    return isPosted
  }

  /// Asks the thread to end.
  func stop() {
    state.withLock { $0.isStopping = true }
    bell.wake()
  }

  // MARK: The client's thread

  /// Takes the requests.
  func take() -> [SignalRequest] {
    bell.takeWakes()
    return state.withLock { state in
      state.queuedCount += state.requestedCount
      state.requestedCount = 0
      defer { state.requests.removeAll() }
      return state.requests
    }
  }

  /// Corrects the number of taken messages that still wait.
  func note(queuedCount: Int) { state.withLock { $0.queuedCount = queuedCount } }

  /// Refuses further requests, and takes those that are there.
  func end() -> [SignalRequest] {
    state.withLock { state in
      state.hasEnded = true
      defer { state.requests.removeAll() }
      return state.requests
    }
  }
}
