public import Platform

/// Event of a WebSocket connection. The events of a connection come in order: `opened`, messages, `closed`.
public enum WebSocketEvent: Sendable {
  /// The handshake is complete; the address is the peer's.
  case opened(ConnectionID, SocketAddress)
  /// A whole text message, in UTF-8.
  case message(ConnectionID, [UInt8])
  /// An open connection has ended, with the code of the close frame: the peer's, or this end's if it closed first.
  /// Code 1005 stands for a close frame without a code, 1006 for an end without a close frame.
  ///
  /// Source: RFC 6455, section 7.4.1.
  case closed(ConnectionID, UInt16)
  /// A client's connection could not be opened.
  case failed(ConnectionID, WebSocketError)
}
