/// Options of one session at one relay.
package struct RelaySessionOptions: Sendable {
  /// Address of the relay's WebSocket.
  package var relay: String
  /// Name and version of the program, for the relay's logs.
  package var software: String?

  /// Creates options from their parts.
  package init(relay: String, software: String? = nil) {
    self.relay = relay
    self.software = software
  }
}
