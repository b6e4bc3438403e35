import NetworkIO
import Platform

/// A connection with signalling.
final class Connection: TimedObject {
  let id: UInt64
  /// The client; its texts come with `hello`.
  var client: ClientDescription
  /// Session of the connection; nil before `hello`.
  var session: Session?
  /// Time of the last message, or of the beginning.
  var heardNanoseconds: Int
  /// Time since which the connection has no session.
  var sessionlessNanoseconds: Int
  /// Network of the client while it counts as one without a session; nil afterwards.
  var waitingNetwork: AddressNetwork?
  /// Bytes of messages that the shell has not taken.
  var queuedByteCount = 0
  /// Bytes of taken messages that the shell has not sent, by its own report.
  var backlogByteCount = 0
  /// Whether the relay has ended the connection; its messages are ignored.
  var isClosing = false
  private var secondNanoseconds = Int.min / 2
  private var requestCount = 0

  init(_ id: UInt64, from address: SocketAddress, nowNanoseconds: Int) {
    self.id = id
    client = ClientDescription(address: address)
    heardNanoseconds = nowNanoseconds
    sessionlessNanoseconds = nowNanoseconds
  }

  /// Bytes of messages that the shell has not sent.
  var waitingByteCount: Int { queuedByteCount + backlogByteCount }

  /// Channels of the session.
  var memberCount: Int { session?.members.count ?? 0 }

  /// Counts a request.
  ///
  /// - Returns: Whether it is within the limit of a second.
  func countRequest(limit: Int, nowNanoseconds now: Int) -> Bool {
    if now &- secondNanoseconds >= 1_000_000_000 { (secondNanoseconds, requestCount) = (now, 0) }
    requestCount += 1
    return requestCount <= limit
  }
}
