public import Cryptography
internal import NetworkIO
public import Platform
internal import RTP
internal import Signalling
public import WebRTC

/// Server of channels without I/O: sessions, users, and the packets between them.
///
///     message, connection, time ─▶ received ─┐
///     datagram, source, time ────▶ received ─┼─▶ send                        datagrams, at once
///     time ──────────────────────▶ poll ─────┴─▶ takeMessage, takeDisconnect after each call
///
/// `poll` is due at `nextDeadlineNanoseconds`. The relay reads no clock and has no sockets: its caller gives it the
/// time and numbers for its sockets. Input from outside never traps.
///
/// A client's media addresses must differ from channel to channel: an address finds one media connection.
///
/// Thread: one at a time.
///
/// Source: Documentation/Signalling.md.
public final class RelayCore {
  /// Takes a datagram, its destination and the number of the local socket. The bytes are borrowed.
  public typealias Send = (UnsafeRawBufferPointer, _ to: SocketAddress, _ from: Int) -> Void

  /// Size of the longest packet that is forwarded, in bytes.
  static let largestPacketByteCount = 1_500

  /// Counts so far.
  public internal(set) var counters = RelayCounters()
  var configuration: RelayConfiguration
  let certificate: DTLSCertificate
  let random: () -> UInt64
  private let transmit: Send
  let secret: [UInt8]
  var clock: RelayClock
  var connections: [UInt64: Connection] = [:]
  /// Time of the last look that found datagrams dropped by the kernel; nil before.
  var droppedNanoseconds: Int?
  /// Numbers of connections without a session.
  var waitingConnections: [AddressNetwork: Int] = [:]
  var sessions = SessionTable()
  var channels: [ChannelKey: Channel] = [:]
  var peersByFragment: [String: MediaPeer] = [:]
  var routes = RouteTable()
  var deadlines = DeadlineQueue()
  var outbox = MessageOutbox()
  var userLog = UserLog()
  /// End of a drain; nil without one.
  var drainEndNanoseconds: Int?
  /// Packet on its way to a listener.
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)
  /// A datagram that two connections may have to read.
  let spare = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

  /// Creates a relay without sessions.
  ///
  /// - Parameters:
  ///   - configuration: settings.
  ///   - certificate: certificate for the media connections.
  ///   - nowNanoseconds: present time of the monotonic clock.
  ///   - unixMilliseconds: present time of the calendar, in milliseconds since 1970.
  ///   - random: unpredictable numbers.
  ///   - send: sends a datagram.
  public init(
    _ configuration: RelayConfiguration, certificate: DTLSCertificate, nowNanoseconds: Int, unixMilliseconds: Int64,
    random: @escaping () -> UInt64 = { SecureRandom.number() }, send: @escaping Send
  ) {
    self.configuration = configuration
    self.certificate = certificate
    self.random = random
    transmit = send
    secret = configuration.resumeSecret.map { Array($0.text.utf8) } ?? SecureRandom.bytes(32)
    clock = RelayClock(unixMilliseconds: unixMilliseconds, nowNanoseconds: nowNanoseconds)
  }

  deinit {
    // Legs and their peers refer to each other, as sessions and connections do.
    for peer in peersByFragment.values { peer.legs = [:] }
    for connection in connections.values { connection.session = nil }
    memory.deallocate()
    spare.deallocate()
  }

  // MARK: Sizes

  /// Connections with signalling.
  public var connectionCount: Int { connections.count }
  /// Sessions, with those that wait for another connection.
  public var sessionCount: Int { sessions.count }
  /// Channels with at least one user.
  public var channelCount: Int { channels.count }
  /// Media connections.
  public var transportCount: Int { peersByFragment.count }
  /// Addresses that find a media connection.
  public var routeCount: Int { routes.count }

  /// Counts the time of a user's join once, as soon as its media connection is established.
  func countJoin(_ member: Member, _ now: Int) {
    guard let start = member.joinNanoseconds, member.peer?.address != nil else { return }
    member.joinNanoseconds = nil
    counters.joinTimes.add(nanoseconds: now - start)
  }

  // MARK: Output

  /// Sends a datagram, and counts its bytes.
  func send(_ datagram: UnsafeRawBufferPointer, _ address: SocketAddress, _ local: Int) {
    counters.sentBytes += datagram.count
    transmit(datagram, address, local)
  }

  /// Returns the next message to send; nil if there is none.
  public func takeMessage() -> (connection: UInt64, text: String)? {
    guard let message = outbox.takeMessage() else { return nil }
    connections[message.connection]?.queuedByteCount -= message.text.utf8.count
    return message
  }

  /// Returns the next connection to close behind its messages, with the code of WebSocket; nil if there is none.
  ///
  /// The caller does not report the end of such a connection with `closed`; a call of it has no effect.
  public func takeDisconnect() -> (connection: UInt64, code: UInt16, reason: String)? { outbox.takeClosing() }

  /// Time of the next `poll`; nil if none is needed.
  public var nextDeadlineNanoseconds: Int? {
    switch (deadlines.nextNanoseconds, drainEndNanoseconds) {
    case (let next?, let end?): min(next, end)
    case (let next, let end): next ?? end
    }
  }

  /// Returns the relay's calendar, in milliseconds since 1970.
  public func unixMilliseconds(nowNanoseconds: Int) -> Int64 { clock.milliseconds(nowNanoseconds) }
}
