import Cryptography
import Metering
import NetworkSimulation
import Platform
import RTP
import Relay
import Signalling
import WebRTC

/// The relay of a simulated channel: the core of a real one, between the paths of the users.
final class SimulatedRelay {
  static let address = SocketAddress(host: "192.0.2.1", port: 7_000)!
  static let url = "ws://192.0.2.1:7000"
  static let app = AppID("simulation")!
  /// Seconds since 1970 at the start: every run has the same calendar.
  static let startUnixSeconds = 1_800_000_000

  private static let secret = try! TokenSecret(keyID: "simulation", bytes: [UInt8](repeating: 0x5A, count: 32).span)

  /// Called with each datagram that the relay sends.
  var onSend: ((ChannelDatagram, _ nowNanoseconds: Int) -> Void)?
  /// Called with each voice packet that the relay sends to a listener, and the downlink's counters of it.
  var onVoice: ((CallPacket, SpeakerID, _ listener: UInt32, RTPHeader, _ effect: LinkCounters) -> Void)?
  /// Counts of relays that have stopped.
  private var earlier: [RelayCounters] = []
  private var core: RelayCore?
  private let paths: [ChannelPath]
  private var pathsByAddress: [SocketAddress: ChannelPath] = [:]
  private let clock: VirtualClock
  private let certificate: DTLSCertificate
  private let random: () -> UInt64
  private let maximumSpeakerCount: Int
  private var calendarStepMilliseconds: Int64 = 0
  /// User and channel of the voice packet that the core takes now.
  private var speaker: SpeakerID?
  /// The newest voice packets of each user: a listener that begins to hear it gets several at once.
  private var newest: [SpeakerID: [CallPacket]] = [:]
  /// Datagrams of the voice packet that the core takes now.
  private var forwarded: [(path: ChannelPath, speaker: SpeakerID, header: RTPHeader, effect: LinkCounters)] = []
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

  init(
    _ paths: [ChannelPath], clock: VirtualClock, maximumSpeakerCount: Int = 0, random: @escaping () -> UInt64
  ) {
    self.maximumSpeakerCount = maximumSpeakerCount
    self.paths = paths
    self.clock = clock
    self.random = random
    certificate = DTLSCertificate(unixSeconds: Self.startUnixSeconds)
  }

  deinit { memory.deallocate() }

  /// Makes a token of a user that is valid for a year.
  static func makeToken(of uid: UInt32, in channel: ChannelName, role: TokenRole) -> SecretText {
    makeToken(of: uid, for: .channel(channel), role: role)
  }

  /// Makes a token of a user for one channel or for any, valid for a year.
  static func makeToken(
    of uid: UInt32, for scope: TokenScope, role: TokenRole, relaysTo: [ChannelName] = []
  ) -> SecretText {
    do {
      return SecretText(
        TokenSigner(secret).sign(
          try Token(
            app: app, scope: scope, user: .uid(uid), role: role, relayDestinations: relaysTo,
            expires: Int64(startUnixSeconds + 366 * 86_400))))
    } catch {
      preconditionFailure("a token of one user for a year is valid: \(error)")
    }
  }

  // MARK: Life

  var isRunning: Bool { core != nil }

  /// Counts of all relays of the call, by name.
  var counters: [(name: String, value: Int)] {
    let all = earlier + (core.map { [$0.counters] } ?? [])
    guard let first = all.first else { return [] }
    return first.named.enumerated().map { index, entry in
      (entry.name, all.reduce(0) { $0 + $1.named[index].value })
    }
  }

  /// Starts a relay that knows no session; resume tokens of an earlier one are valid.
  func start() {
    guard core == nil else { return }
    var configuration = RelayConfiguration(
      apps: [RelayApp(id: Self.app, secret: Self.secret)], mediaAddresses: [Self.address])
    configuration.limits.speakers = maximumSpeakerCount
    configuration.resumeSecret = SecretText("resume tokens of a simulated relay")
    let now = clock.nowNanoseconds
    core = RelayCore(
      configuration, certificate: certificate, nowNanoseconds: now, unixMilliseconds: unixMilliseconds, random: random
    ) { [unowned self] bytes, address, _ in send(bytes, to: address) }
  }

  /// Ends the relay without a word, as the loss of its process does.
  func stop() {
    guard let core else { return }
    earlier.append(core.counters)
    self.core = nil
    for path in paths {
      for socket in path.sockets { path.sendToUser(.closed, on: socket) }
    }
  }

  /// Sets the relay's calendar forward or back.
  func stepCalendar(milliseconds: Int64) {
    calendarStepMilliseconds += milliseconds
    core?.setClock(unixMilliseconds: unixMilliseconds, nowNanoseconds: clock.nowNanoseconds)
    flush()
  }

  private var unixMilliseconds: Int64 {
    Int64(Self.startUnixSeconds) * 1_000 + Int64(clock.nowNanoseconds / 1_000_000) + calendarStepMilliseconds
  }

  // MARK: Work

  /// Time of the next work without an arrival; nil if none is due.
  var nextDeadlineNanoseconds: Int? { core?.nextDeadlineNanoseconds }

  /// Takes everything that has arrived, and does the work that is due.
  func run() {
    for path in paths {
      receiveDatagrams(of: path)
      receiveMessages(of: path)
    }
    poll()
  }

  /// Takes the datagrams of a path that have arrived.
  func receiveDatagrams(of path: ChannelPath) {
    while let datagram = path.receiveAtRelay(nowNanoseconds: clock.nowNanoseconds) { take(datagram, from: path) }
    flush()
  }

  /// Takes the messages of a path that have arrived.
  func receiveMessages(of path: ChannelPath) {
    for socket in path.sockets {
      while let content = socket.toRelay.receive(nowNanoseconds: clock.nowNanoseconds) {
        take(content, on: socket, from: path)
      }
    }
    flush()
  }

  /// Does the work that is due without an arrival.
  func poll() {
    let now = clock.nowNanoseconds
    if let core, let deadline = core.nextDeadlineNanoseconds, deadline <= now { core.poll(nowNanoseconds: now) }
    flush()
  }

  private func take(_ datagram: ChannelDatagram, from path: ChannelPath) {
    guard let core else { return }
    if let packet = datagram.voice, let speaker = datagram.speaker {
      self.speaker = speaker
      newest[speaker] = (newest[speaker] ?? []).suffix(Self.newestCount) + [packet]
    }
    memory.copyBytes(from: datagram.bytes)
    core.received(
      datagram: UnsafeMutableRawBufferPointer(rebasing: memory[..<datagram.bytes.count]), from: datagram.address,
      local: 0, nowNanoseconds: clock.nowNanoseconds)
    if let speaker { reportVoices(of: speaker) }
    speaker = nil
  }

  /// Packets of a user that a listener may get at once.
  private static let newestCount = 31

  /// Reports the packets of the datagrams: the last one to a listener is the newest.
  private func reportVoices(of speaker: SpeakerID) {
    let packets = newest[speaker] ?? []
    // A listener may hear the user in two channels.
    var counts: [String: [UInt32: Int]] = [:]
    for (path, heard, header, effect) in forwarded.reversed() {
      let age = counts[heard.channelID, default: [:]][path.uid, default: 0]
      counts[heard.channelID, default: [:]][path.uid] = age + 1
      guard age < packets.count else { continue }
      onVoice?(packets[packets.count - 1 - age], heard, path.uid, header, effect)
    }
    forwarded = []
  }

  private func take(_ content: SimulatedWebSocket.Content, on socket: SimulatedWebSocket, from path: ChannelPath) {
    let now = clock.nowNanoseconds
    guard let core else {
      if case .closed = content { path.remove(socket) } else { path.sendToUser(.closed, on: socket) }
      return
    }
    switch content {
    case .connect: path.sendToUser(.accept, on: socket)
    case .upgrade:
      path.sendToUser(.opened, on: socket)
      socket.isKnownToRelay = true
      core.opened(socket.number, from: path.address, nowNanoseconds: now)
    case .message(let text): core.received(Array(text.utf8), on: socket.number, nowNanoseconds: now)
    case .closed:
      core.closed(socket.number, nowNanoseconds: now)
      path.remove(socket)
    case .accept, .opened: break
    }
  }

  private func send(_ bytes: UnsafeRawBufferPointer, to address: SocketAddress) {
    guard let path = path(at: address) else { return }
    var datagram = ChannelDatagram(bytes: Array(bytes), address: address)
    // Source: RFC 5761, section 4, for the second byte of RTCP.
    let isVoice = speaker != nil && bytes.count > Self.pauseByteCount && !(192...223).contains(bytes[1])
    let header = isVoice ? try? RTPHeader(parsing: bytes) : nil
    // The user is perhaps relayed from another channel.
    let heard = speaker.map { SpeakerID(uid: $0.uid, channelID: path.channel(at: address)?.text ?? $0.channelID) }
    if header != nil { datagram.speaker = heard }
    onSend?(datagram, clock.nowNanoseconds)
    let effect = path.sendToUser(datagram)
    if let header, let heard { forwarded.append((path, heard, header, effect)) }
  }

  /// Bytes of a datagram with which the relay announces a pause of another user: the header, a byte and the tag.
  private static let pauseByteCount = 29

  /// Returns the path of an address; nil if no user has it now.
  private func path(at address: SocketAddress) -> ChannelPath? {
    if let known = pathsByAddress[address], known.mediaAddresses.contains(address) { return known }
    // A user may have moved since.
    let addresses = paths.flatMap { path in path.mediaAddresses.map { ($0, path) } }
    pathsByAddress = Dictionary(addresses, uniquingKeysWith: { first, _ in first })
    return pathsByAddress[address]
  }

  private func flush() {
    guard let core else { return }
    while let message = core.takeMessage() {
      guard let (path, socket) = find(message.connection) else { continue }
      path.sendToUser(.message(message.text), on: socket)
    }
    while let end = core.takeDisconnect() {
      guard let (path, socket) = find(end.connection) else { continue }
      path.sendToUser(.closed, on: socket)
    }
  }

  private func find(_ number: UInt64) -> (ChannelPath, SimulatedWebSocket)? {
    // Paths count their hosts from 1.
    let path = paths[Int(number / ChannelPath.socketsPerUser) - 1]
    return path.socket(number).map { (path, $0) }
  }
}
