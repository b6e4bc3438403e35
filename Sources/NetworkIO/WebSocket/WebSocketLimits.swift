/// Limits of a WebSocket server or client. Times are in nanoseconds.
public struct WebSocketLimits: Hashable, Sendable {
  /// Longest message in either direction, in bytes. A longer one from the peer ends its connection with code 1009.
  public var maximumMessageByteCount = 65_536
  /// Bytes that may wait for a slow reader. One byte more ends its connection with code 1008.
  public var maximumQueuedByteCount = 262_144
  /// Connections of a server, including those within their handshake. A further one is closed at once.
  public var maximumConnectionCount = 10_000
  /// New connections per second from one IPv4 address, or from one /64 network of IPv6.
  public var connectionsPerSecond = 50
  /// New connections from one address that may come at once.
  public var connectionBurst = 200
  /// Messages per second of one connection. A faster peer is closed with code 1008.
  public var messagesPerSecond = 100
  /// Messages of one connection that may come at once.
  public var messageBurst = 500
  /// Longest time from the start of a connection to the end of its handshake, TLS included.
  public var handshakeNanoseconds: Int64 = 5_000_000_000
  /// Time between two pings.
  public var pingNanoseconds: Int64 = 10_000_000_000
  /// Time without any bytes from the peer after which its connection is cut.
  public var silenceNanoseconds: Int64 = 30_000_000_000
  /// Bytes of messages that may wait for `takeEvents`. Above it nothing is read from the network.
  public var maximumEventByteCount = 16_777_216
  /// Bytes of messages of one connection that may wait for `takeEvents`. Above it the connection is not read.
  public var connectionEventByteCount = 131_072

  /// Web pages that may connect to a server. A page of another origin gets 403.
  public var origins = OriginRule.any

  /// Creates the usual limits.
  public init() {}
}
