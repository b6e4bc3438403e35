/// Work for the WebSocket of a session, in order.
package enum SignallingCommand: Hashable, Sendable {
  /// Open a WebSocket to a relay's address, in place of an earlier one.
  case open(relay: String)
  /// Send a text message.
  case send(String)
  /// Close the WebSocket behind its queued messages.
  case close
}
