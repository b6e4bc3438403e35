public import Cryptography
internal import NetworkIO
public import Platform
internal import RTP
internal import Signalling
public import WebRTC

/// Server of channels without I/O: sessions, tokens and users. A `Forwarder` for each worker has their media.
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

  /// Counts so far, without those of the forwarders.
  var ownCounters = RelayCounters()
  var configuration: RelayConfiguration
  let certificate: DTLSCertificate
  let random: () -> UInt64
  let secret: [UInt8]
  var clock: RelayClock
  var connections: [UInt64: Connection] = [:]
  /// Time of the last look that found datagrams of a forwarder dropped by the kernel; nil before.
  var droppedNanoseconds: [Int?]
  /// Datagrams that the kernel has dropped, of each forwarder.
  var droppedCounts: [Int]
  /// Numbers of connections without a session.
  var waitingConnections: [AddressNetwork: Int] = [:]
  var sessions = SessionTable()
  var channels: [ChannelKey: Channel] = [:]
  /// Forwarders of the channels, one for each thread for media.
  let forwarders: [Forwarder]
  var placement: ChannelPlacement
  private let access = ForwarderAccess()
  var deadlines = DeadlineQueue()
  var outbox = MessageOutbox()
  var userLog = UserLog()
  var bans = BanTable()
  /// End of a drain; nil without one.
  var drainEndNanoseconds: Int?

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
    secret = configuration.resumeSecret.map { Array($0.text.utf8) } ?? SecureRandom.bytes(32)
    let clock = RelayClock(unixMilliseconds: unixMilliseconds, nowNanoseconds: nowNanoseconds)
    self.clock = clock
    forwarders = (0..<max(1, configuration.workerCount)).map { [access] in
      Forwarder($0, configuration.limits, access, certificate, clock, random: random, send: send)
    }
    placement = ChannelPlacement(forwarderCount: forwarders.count)
    droppedNanoseconds = Array(repeating: nil, count: forwarders.count)
    droppedCounts = Array(repeating: 0, count: forwarders.count)
  }

  deinit {
    // Sessions and connections refer to each other.
    for connection in connections.values { connection.session = nil }
  }

  // MARK: Sizes

  /// Connections with signalling.
  public var connectionCount: Int { connections.count }
  /// Sessions, with those that wait for another connection.
  public var sessionCount: Int { sessions.count }
  /// Channels with at least one user.
  public var channelCount: Int { channels.count }
  /// Media connections.
  public var transportCount: Int { sum { $0.transportCount } }
  /// Addresses that find a media connection.
  public var routeCount: Int { sum { $0.routes.count } }

  /// Counts so far.
  public var counters: RelayCounters {
    var all = ownCounters
    for forwarder in forwarders {
      forwarder.enter()
      all.add(media: forwarder.counters)
    }
    leaveMedia()
    return all
  }

  private func sum(_ count: (Forwarder) -> Int) -> Int {
    defer { leaveMedia() }
    return forwarders.reduce(0) { sum, forwarder in
      forwarder.enter()
      return sum + count(forwarder)
    }
  }

  /// Whether the signalling holds a forwarder, which every call from outside ends.
  var holdsForwarder: Bool { access.isHolding }

  /// Lets the forwarders go on without a hold of the signalling.
  func leaveMedia() { access.leave() }

  /// Sets a function that gets each forwarder of which the signalling has let go: it may have datagrams and deadlines.
  func onRelease(_ body: @escaping (Forwarder) -> Void) { access.onRelease = body }

  // MARK: Output

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
    leaveMedia()
    var next = signallingDeadlineNanoseconds
    for forwarder in forwarders {
      if let time = forwarder.lock.hold({ forwarder.nextDeadlineNanoseconds }) { next = min(next ?? time, time) }
    }
    return next
  }

  /// Time of the next `pollSignalling`; nil if none is needed.
  var signallingDeadlineNanoseconds: Int? {
    switch (deadlines.nextNanoseconds, drainEndNanoseconds) {
    case (let next?, let end?): min(next, end)
    case (let next, let end): next ?? end
    }
  }

  /// Returns the relay's calendar, in milliseconds since 1970.
  public func unixMilliseconds(nowNanoseconds: Int) -> Int64 { clock.milliseconds(nowNanoseconds) }
}
