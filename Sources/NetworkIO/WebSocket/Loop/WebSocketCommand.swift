/// Request of another thread to the thread of a `WebSocketLoop`.
enum WebSocketCommand: Sendable {
  /// Opens a client's connection.
  case connect(ConnectionID)
  case send(ConnectionID, [UInt8])
  /// Closes a connection after its queued messages.
  case close(ConnectionID, UInt16, String)
  /// Ends the connection of a slow reader at once.
  case cut(ConnectionID)
  /// Reads again from the connections that wait for the consumer.
  case resume
  /// Reads again from a connection that had too many events of its own.
  case resumeReading(ConnectionID)
  case reload(TLSFiles)
  /// Uses another rate of messages for each connection.
  case messageRate(perSecond: Int, burst: Int)
  /// Uses another rule for later connections.
  case origins(OriginRule)
  case stop
}
