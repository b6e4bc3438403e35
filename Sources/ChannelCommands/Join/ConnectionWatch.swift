import Channels
import CommandLineKit
import Engine
import Metering
import Platform
import Signalling

/// Losses and end of the connection to a channel, and of the users' packets. Each loss and each return is a message.
///
/// Thread: any.
final class ConnectionWatch: Sendable {
  private struct State {
    var isLost = false
    var isSilent = false
    var error: ChannelError?
    var end: ChannelEnd?
    var losses: [RelayLoss] = []
  }

  private let clock = SystemClock()
  private let start: Int
  private static let mostLosses = 20
  /// Silence of a relay after which it counts as lost, in seconds.
  private static let silence = 4.0

  private let log: Log
  private let state = Guarded(State())

  init(_ log: Log) {
    self.log = log
    start = clock.nowNanoseconds
  }

  private var seconds: Double { Double(clock.nowNanoseconds - start) / 1e9 }

  /// First losses of the relay.
  var losses: [RelayLoss] { state.withLock { $0.losses } }

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
      // A second reason of the same loss follows if the relay has dropped the user.
      case .stateChanged(.reconnecting, let reason) where !state.isLost:
        if state.losses.count < Self.mostLosses {
          let silence = reason == .interrupted ? Self.silence : 0
          state.losses.append(RelayLoss(lostSeconds: max(0, seconds - silence)))
        }
        state.isLost = true
        guard !state.isSilent else { return }
        log.warning("the connection to the relay is lost; trying again")
      case .stateChanged(.connected, _) where state.isLost && !state.isSilent:
        state.isLost = false
        if let last = state.losses.indices.last, state.losses[last].backSeconds == nil {
          state.losses[last].backSeconds = seconds
        }
        log.info("the connection to the relay is back")
      case .rejoined where !state.isSilent:
        log.info("the channel is joined again")
        // A short restart passes without a loss.
        if state.losses.last?.ends(at: seconds) != true, state.losses.count < Self.mostLosses {
          state.losses.append(RelayLoss(lostSeconds: nil, backSeconds: seconds))
        }
      case .mediaRelayStarted(let channel, let uid) where !state.isSilent:
        log.info("the channel '\(channel)' has the audio as that of user \(uid)")
      case .mediaRelayEnded(let channel, let error) where !state.isSilent:
        log.warning("the channel '\(channel)' gets no more audio: \(error)")
      case .mediaRelayStateChanged(.failure, let error) where !state.isSilent:
        log.warning("no other channel gets the audio (error \(error.rawValue)); this channel continues")
      default: break
      }
    }
  }

  /// Takes the state of a user's stream: outages of its packets are messages.
  func take(_ change: RemoteAudioChange) {
    guard !state.withLock({ $0.isSilent }) else { return }
    switch (change.state, change.reason) {
    case (.frozen, _): log.info("no packets of user \(change.speaker.uid) come")
    case (.decoding, .recovery): log.info("packets of user \(change.speaker.uid) come again")
    default: break
    }
  }
}
