import Channels
import Platform
import Signalling

/// End of the connection to a channel.
///
/// Thread: any.
final class ConnectionWatch: Sendable {
  private struct State {
    var error: ChannelError?
    var end: ChannelEnd?
  }

  private let state = Guarded(State())

  /// End of the channel; nil while the session lasts.
  var end: ChannelEnd? { state.withLock { $0.end } }

  /// Takes an event of the channel.
  func take(_ event: ChannelEvent) {
    state.withLock { state in
      switch event {
      case .failed(let error): state.error = error
      case .stateChanged(.failed, let reason):
        let error = state.error ?? ChannelError(.general, "the relay has ended the session; join again")
        state.end = ChannelEnd(reason: reason, error: error)
      case .stateChanged(.disconnected, let reason):
        let error = ChannelError(.refused, "the relay has ended the session; join again")
        state.end = ChannelEnd(reason: reason, error: error)
      default: break
      }
    }
  }
}
