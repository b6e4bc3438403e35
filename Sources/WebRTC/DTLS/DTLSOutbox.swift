/// Datagrams that wait to be sent.
///
/// Until the handshake is finished, a server hands out at most three times the bytes that it received. An attacker with
/// a false source address could otherwise direct a larger stream to that address. Datagrams above the limit wait until
/// more bytes arrive.
///
/// Source: RFC 9000, section 8, for the factor.
struct DTLSOutbox {
  private static let factor = 3
  /// Two flights of one datagram for each message.
  private static let capacity = 16
  private var datagrams: [[UInt8]] = []
  private var waitingBytes = 0
  /// Whether the limit applies.
  var isLimited: Bool
  private(set) var receivedBytes = 0
  private(set) var sentBytes = 0
  private(set) var sentCount = 0
  private(set) var heldBackCount = 0
  private(set) var heldBackBytes = 0
  private(set) var droppedCount = 0

  init(isLimited: Bool) { self.isLimited = isLimited }

  /// Whether a datagram waits for more bytes of the peer.
  var isHoldingBack: Bool { datagrams.first.map { !isAllowed($0.count) } ?? false }

  /// Notes bytes received from the peer.
  mutating func received(_ byteCount: Int) { receivedBytes &+= byteCount }

  /// Adds a datagram, or drops it if the caller has not taken those before.
  mutating func append(_ datagram: UnsafeRawBufferPointer) {
    guard datagrams.count < Self.capacity else {
      droppedCount += 1
      return
    }
    if !isAllowed(waitingBytes + datagram.count) {
      heldBackCount += 1
      heldBackBytes += datagram.count
    }
    waitingBytes += datagram.count
    datagrams.append([UInt8](datagram))
  }

  /// Takes the next datagram; nil if none may leave.
  mutating func take() -> [UInt8]? {
    guard let first = datagrams.first, isAllowed(first.count) else { return nil }
    datagrams.removeFirst()
    waitingBytes -= first.count
    sentBytes &+= first.count
    sentCount += 1
    return first
  }

  /// Drops the datagrams that wait, if the limit holds them back.
  mutating func dropHeldBack() { if isHoldingBack { clear() } }

  /// Drops the datagrams that wait.
  mutating func clear() {
    datagrams.removeAll()
    waitingBytes = 0
  }

  private func isAllowed(_ byteCount: Int) -> Bool {
    !isLimited || sentBytes + byteCount <= Self.factor * receivedBytes
  }
}
