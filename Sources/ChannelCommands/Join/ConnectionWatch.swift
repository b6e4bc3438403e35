import Channels
import CommandLineKit
import Platform
import Signalling

/// Losses and end of the connection to a channel. Each loss and each return is a message.
///
/// Thread: any.
final class ConnectionWatch: Sendable {
  private struct State {
    var isLost = false
    var isSilent = false
    var error: ChannelError?
    var end: ChannelEnd?
  }

  private let log: Log
  private let state = Guarded(State())

  init(_ log: Log) { self.log = log }

  /// End of the channel; nil while the session lasts.
  var end: ChannelEnd? { state.withLock { $0.end } }

  /// Ends the messages: the command leaves, and reports the connection itself.
  func silence() { state.withLock { $0.isSilent = true } }

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
      case .stateChanged(.reconnecting, _):
        state.isLost = true
        guard !state.isSilent else { return }
        log.warning("the connection to the relay is lost; trying again")
      case .stateChanged(.connected, _) where state.isLost && !state.isSilent:
        state.isLost = false
        log.info("the connection to the relay is back")
      default: break
      }
    }
  }
}
