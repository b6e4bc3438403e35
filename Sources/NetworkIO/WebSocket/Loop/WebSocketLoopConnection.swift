import Platform

/// State of a connection on the thread of its `WebSocketLoop`.
final class WebSocketLoopConnection {
  enum Phase {
    case handshake
    case open
    /// The end of the connection has been reported.
    case ended
  }

  let id: ConnectionID
  /// Handle of the library; nil before the library has one.
  var handle: OpaquePointer?
  let address: SocketAddress
  var phase = Phase.handshake
  /// Start of the handshake, and then the last arrival of any bytes.
  var lastReceived: Int64
  var lastPing: Int64
  var messageRate: RateLimit
  /// Fragments of the message that is arriving.
  var incoming: [UInt8] = []
  /// Messages to be sent, from `outgoingIndex` on.
  var outgoing: [[UInt8]] = []
  var outgoingIndex = 0
  /// Bytes of a message that the library still holds.
  var heldByteCount = 0
  var wantsPing = false
  /// Close frame to be sent behind the messages.
  var closing: (code: UInt16, reason: String)?
  var closingStart: Int64 = 0
  /// Whether the library has the close frame. Nothing is written behind it.
  var hasCloseFrame = false
  /// Code of the close frame that this end sends first.
  var ownCode: UInt16?
  var peerCode: UInt16?
  /// HTTP answer in place of a WebSocket.
  var answer: HTTPAnswer?
  /// Reason of a failure that is known before the library reports it.
  var failure: WebSocketError.Reason?

  init(_ id: ConnectionID, address: SocketAddress, limits: WebSocketLimits, now: Int64) {
    self.id = id
    self.address = address
    lastReceived = now
    lastPing = now
    messageRate = RateLimit(perSecond: limits.messagesPerSecond, burst: limits.messageBurst)
  }

  var nextMessage: [UInt8]? { outgoingIndex < outgoing.count ? outgoing[outgoingIndex] : nil }

  func removeFirstMessage() {
    outgoing[outgoingIndex] = []
    outgoingIndex += 1
    guard outgoingIndex == outgoing.count else { return }
    outgoing.removeAll()
    outgoingIndex = 0
  }
}
