public import Platform

/// Change at an agent that sends checks.
public enum ICEEvent: Hashable, Sendable {
  /// Packets go to this address from now on.
  case selected(SocketAddress)
  /// No candidate has answered in time. The agent sends no more checks until a restart.
  case failed
  /// The selected address has not answered for 30 s. The caller must stop sending; a restart is possible.
  case consentLost
}
