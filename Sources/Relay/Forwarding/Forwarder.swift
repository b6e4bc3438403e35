import Cryptography
import Platform
import Synchronization
import WebRTC

/// Forwards the packets of its channels, without I/O: media connections, and the packets between them.
///
///     datagram, source, time ─▶ received ─┬─▶ send               datagrams, at once
///     time ───────────────────▶ poll ─────┴─▶ takeEvent          after each call
///
/// A relay has one for each of its threads for media; all media of a channel are in one. `poll` is due at
/// `nextDeadlineNanoseconds`. Input from outside never traps.
///
/// Thread: that which holds `lock`.
///
/// Source: Documentation/Signalling.md.
final class Forwarder {
  /// Takes a datagram, its destination and the number of the local socket. The bytes are borrowed.
  typealias Send = (UnsafeRawBufferPointer, _ to: SocketAddress, _ from: Int) -> Void

  /// Size of the longest packet that is forwarded, in bytes.
  static let largestPacketByteCount = 1_500

  /// Number in the relay; its port is the relay's, plus this.
  let index: Int
  let lock = ForwarderLock()
  private let access: ForwarderAccess
  let certificate: DTLSCertificate
  let random: () -> UInt64
  let clock: RelayClock
  private let transmit: Send
  /// Limits of the packets.
  var limits: RelayLimits
  /// Counts of media so far.
  var counters = RelayCounters()
  var peersByFragment: [String: MediaPeer] = [:]
  var routes = RouteTable()
  var deadlines = DeadlineQueue()
  /// Users of other channels that are heard in those of this forwarder.
  var relayedUsers = RelayedUsers()
  /// Packets of those users. Thread: any for `append`.
  let relayedPackets = RelayedPackets()
  /// Called for the first packet that another forwarder adds to `relayedPackets`. Thread: any.
  var onRelayedPacket: (() -> Void)?
  private var events: [ForwarderEvent] = []
  /// Packets so far, in and out, for the choice of a forwarder. Thread: any.
  let packetCount = Atomic(0)
  /// Whether `events` may have some; the lock orders them.
  private let eventFlag = Atomic(false)
  /// Packet on its way to a listener.
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)
  /// A datagram that two connections may have to read.
  let spare = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

  init(
    _ index: Int, _ limits: RelayLimits, _ access: ForwarderAccess, _ certificate: DTLSCertificate, _ clock: RelayClock,
    random: @escaping () -> UInt64, send: @escaping Send
  ) {
    self.index = index
    self.limits = limits
    self.access = access
    self.certificate = certificate
    self.clock = clock
    self.random = random
    transmit = send
  }

  deinit {
    // Legs and their peers refer to each other.
    for peer in peersByFragment.values { peer.legs = [:] }
    memory.deallocate()
    spare.deallocate()
  }

  /// Media connections.
  var transportCount: Int { peersByFragment.count }

  /// Lets the thread of the signalling hold this forwarder.
  func enter() { access.enter(self) }

  // MARK: Media connections

  /// Creates a media connection.
  func makePeer(_ terms: MediaTerms, _ now: Int) -> MediaPeer {
    let transport = MediaTransport(
      server: terms.credentials, certificate: certificate, role: terms.role,
      remoteCredentials: terms.remoteCredentials, remoteFingerprints: terms.fingerprints, nowNanoseconds: now)
    let peer = MediaPeer(transport, terms)
    peersByFragment[peer.credentials.fragment] = peer
    return peer
  }

  /// Removes a media connection: no datagram finds it.
  func remove(_ peer: MediaPeer) {
    peersByFragment[peer.credentials.fragment] = nil
    routes.remove(peer)
    deadlines.remove(peer)
  }

  /// Removes a media connection, and notifies its other end.
  func close(_ peer: MediaPeer, _ now: Int) {
    peer.transport.close(nowNanoseconds: now)
    sendDatagrams(of: peer)
    remove(peer)
  }

  /// Counts the time of a user's join once, as soon as its media connection is established.
  func countJoin(_ user: MediaUser, _ now: Int) {
    guard let start = user.joinNanoseconds, user.peer?.address != nil else { return }
    user.joinNanoseconds = nil
    counters.joinTimes.add(nanoseconds: now - start)
  }

  // MARK: Output

  /// Sends a datagram, and counts its bytes.
  func send(_ datagram: UnsafeRawBufferPointer, _ address: SocketAddress, _ local: Int) {
    counters.sentBytes += datagram.count
    transmit(datagram, address, local)
  }

  func post(_ event: ForwarderEvent) {
    events.append(event)
    eventFlag.store(true, ordering: .relaxed)
  }

  /// Whether `takeEvent` has an event. Thread: any.
  var hasEvents: Bool { eventFlag.load(ordering: .relaxed) }

  func takeEvent() -> ForwarderEvent? {
    if !events.isEmpty { return events.removeFirst() }
    eventFlag.store(false, ordering: .relaxed)
    return nil
  }

  // MARK: Time

  /// Time of the next `poll`; nil if none is needed.
  var nextDeadlineNanoseconds: Int? { deadlines.nextNanoseconds }

  /// Does the work that is due.
  func poll(nowNanoseconds now: Int) {
    while let object = deadlines.takeDue(now) { if let peer = object as? MediaPeer { poll(peer, now) } }
  }

  /// Does the work that is due for a media connection, and sets its next deadline.
  func poll(_ peer: MediaPeer, _ now: Int) {
    peer.transport.poll(nowNanoseconds: now)
    guard finish(peer, now) else { return }
    if let user = peer.user { report(user, peer, now) }
    // Work that stays due must not keep `poll` from its end.
    schedule(peer, earliest: now &+ 1_000_000)
  }

  /// Sets the next deadline of a media connection.
  func schedule(_ peer: MediaPeer, earliest: Int = .min) {
    var next = peer.transport.nextDeadlineNanoseconds
    if let user = peer.user {
      if let time = peer.reportNanoseconds { next = min(next ?? time, time) }
      if let time = user.data?.nextDeadlineNanoseconds { next = min(next ?? time, time) }
      if user.publishes, peer.address != nil, let losses = user.stream.losses,
        let time = losses.nextDeadlineNanoseconds(roundTripNanoseconds: peer.roundTripNanoseconds)
      {
        next = min(next ?? time, time)
      }
    }
    deadlines.set(peer, next.map { max($0, earliest) })
  }
}
