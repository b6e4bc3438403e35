import RelayClient
import Signalling

extension RtcConnection.Status {
  /// Notes the state and the uid of an event.
  mutating func note(_ event: ChannelEvent) {
    switch event {
    case .stateChanged(let state, _): self.state = state
    // The completion of a join finds the state that follows. A joined channel lives on with a user that is not heard.
    case .failed where state != .connected && state != .reconnecting: state = .failed
    case .joined(let uid, _, _), .rejoined(let uid, _): self.uid = uid
    default: break
    }
  }
}
