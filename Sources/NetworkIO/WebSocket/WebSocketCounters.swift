/// Counts of a WebSocket server or client since its start.
public struct WebSocketCounters: Hashable, Sendable {
  /// Connections with a complete handshake.
  public internal(set) var opened = 0
  /// Open connections that have ended.
  public internal(set) var closed = 0
  /// Messages that the peers sent.
  public internal(set) var receivedMessages = 0
  /// Messages that the network has taken.
  public internal(set) var sentMessages = 0
  /// Requests that got an HTTP answer instead of a WebSocket.
  public internal(set) var requests = 0
  /// Connections closed because the server had `maximumConnectionCount`.
  public internal(set) var overConnectionCount = 0
  /// Connections closed because of their address's rate.
  public internal(set) var overConnectionRate = 0
  /// Attempts to accept a connection that failed, because the system had no descriptor or memory for it.
  public internal(set) var failedAccepts = 0
  /// Connections with a handshake that took too long.
  public internal(set) var lateHandshakes = 0
  /// Connections that ended before their handshake was complete, for any other reason.
  public internal(set) var failedHandshakes = 0
  /// Connections closed because of too many messages per second.
  public internal(set) var overMessageRate = 0
  /// Connections closed because of a message that was too long.
  public internal(set) var longMessages = 0
  /// Connections closed because of a binary message.
  public internal(set) var binaryMessages = 0
  /// Connections closed because of a frame that violates the protocol, or of text that is not UTF-8.
  public internal(set) var violations = 0
  /// Connections cut because too many bytes waited for their reader.
  public internal(set) var slowReaders = 0
  /// Connections cut because the peer was silent.
  public internal(set) var silentPeers = 0

  init() {}
}
