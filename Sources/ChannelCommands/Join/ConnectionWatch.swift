import Channels
import CommandLineKit
import JSON
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
    /// Times of the losses and returns, in seconds since the watch began.
    var losses: [(lost: Double, back: Double?)] = []
  }

  private let clock = SystemClock()
  private let start: Int
  private static let mostLosses = 20

  private let log: Log
  private let state = Guarded(State())

  init(_ log: Log) {
    self.log = log
    start = clock.nowNanoseconds
  }

  private var seconds: Double { Double(clock.nowNanoseconds - start) / 1e9 }

  /// Losses of the relay so far, in brackets; empty without any.
  var losses: String {
    let (losses, isSilent) = state.withLock { ($0.losses, $0.isSilent) }
    guard !losses.isEmpty else { return "" }
    let texts = losses.map { loss in
      let lost = "relay lost at \(JSONWriter.digits(loss.lost, 1)) s"
      guard let back = loss.back else { return isSilent ? lost : "\(lost), not back" }
      return "\(lost), back at \(JSONWriter.digits(back, 1)) s"
    }
    return " (\(texts.joined(separator: "; ")))"
  }

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
        if !state.isLost, state.losses.count < Self.mostLosses { state.losses.append((seconds, nil)) }
        state.isLost = true
        guard !state.isSilent else { return }
        log.warning("the connection to the relay is lost; trying again")
      case .stateChanged(.connected, _) where state.isLost && !state.isSilent:
        state.isLost = false
        if !state.losses.isEmpty { state.losses[state.losses.count - 1].back = seconds }
        log.info("the connection to the relay is back")
      case .rejoined where !state.isSilent:
        log.info("the channel is joined again: the relay had begun anew, or had given this user up")
      default: break
      }
    }
  }
}
