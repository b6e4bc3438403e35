package import Signalling

/// Options of one session at one relay.
package struct RelaySessionOptions: Sendable {
  /// Address of the relay's WebSocket.
  package var relay: String
  /// User of the session, to whom messages are sent; nil: the token's.
  package var user: UserIdentity?
  /// Name and version of the program, for the relay's logs.
  package var software: String?

  /// Creates options from their parts.
  package init(relay: String, user: UserIdentity? = nil, software: String? = nil) {
    self.relay = relay
    self.user = user
    self.software = software
  }
}
