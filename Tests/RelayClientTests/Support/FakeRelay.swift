import Platform
import Signalling
import WebRTC

/// A relay of one client, with scripted answers: messages in and out as text, and a transport.
///
/// Its answers are those of Documentation/Signalling.md. Tests change its state before or between messages.
final class FakeRelay {
  static let certificate = DTLSCertificate(unixSeconds: 1_800_000_000)

  let address = SocketAddress(host: "192.0.2.1", port: 4_000)!
  /// Users that `joined` lists.
  var users: [ChannelUser] = []
  var ssrc: UInt32? = 1_001
  /// Drop time of the channel, in ms; nil as from an earlier relay.
  var dropMilliseconds: Int64?
  /// Refusal in place of `welcome`, without its id.
  var helloRefusal: FailureReport?
  /// Refusal in place of `joined`.
  var joinRefusal: FailureReport?
  /// Refusal of each `update` and `renewToken`.
  var requestRefusal: FailureReport?
  /// Refusal of each `update` that changes whether the user publishes.
  var publishRefusal: FailureReport?
  /// Whether the relay answers `update`.
  var answersUpdates = true
  /// Refusal of each `relayMedia` with a channel.
  var mediaRelayRefusal: FailureReport?
  /// Whether the relay answers `relayMedia`.
  var answersMediaRelay = true
  /// Whether the relay answers messages.
  var answers = true
  /// Messages that have come, in order.
  private(set) var received: [ClientMessage] = []
  /// Answers that wait to be sent.
  var outbox: [String] = []
  private(set) var transport: MediaTransport?
  /// Whether the client has ended the transport.
  private(set) var hasClosed = false
  private(set) var packets: [[UInt8]] = []
  private(set) var datagramCount = 0
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)

  deinit { memory.deallocate() }

  var hellos: [HelloRequest] { received.compactMap { if case .hello(let request) = $0 { request } else { nil } } }
  var joins: [JoinRequest] { received.compactMap { if case .join(let request) = $0 { request } else { nil } } }
  var updates: [UpdateRequest] { received.compactMap { if case .update(let request) = $0 { request } else { nil } } }
  var mediaRelays: [MediaRelayRequest] {
    received.compactMap { if case .relayMedia(let request) = $0 { request } else { nil } }
  }
  var pingCount: Int { received.count { if case .ping = $0 { true } else { false } } }

  func send(_ message: RelayMessage) { outbox.append(message.text) }

  func takeEvents() {
    while let event = transport?.takeEvent() {
      if event == .failed(.closedByPeer) { hasClosed = true }
    }
  }

  /// Forgets all sessions, as after a restart.
  func restart() { transport = nil }

  func receive(_ text: String, _ now: Int) throws {
    guard let message = try ClientMessage(reading: text) else { return }
    received.append(message)
    guard answers else { return }
    switch message {
    case .hello(let request):
      if let helloRefusal { return send(.failed(helloRefusal.answering(request.id))) }
      send(
        .welcome(
          WelcomeAnswer(
            id: request.id, session: "s", resume: SecretText("r\(hellos.count)"), resumed: request.resume != nil,
            time: 1_800_000_000_000, keepAliveMilliseconds: 10_000)))
    case .join(let request): join(request, now)
    case .update where !answersUpdates: break
    case .update(let request):
      if let refusal = requestRefusal ?? (request.publishes == nil ? nil : publishRefusal) {
        return send(.failed(refusal.answering(request.id)))
      }
      send(.updated(UpdatedAnswer(id: request.id, channel: request.channel, ssrc: ssrc)))
    case .renewToken(let request):
      if let requestRefusal { return send(.failed(requestRefusal.answering(request.id))) }
      send(.tokenRenewed(RenewedAnswer(id: request.id, milliseconds: 3_600_000)))
    case .leave(let request): send(.left(LeftAnswer(id: request.id, channel: request.channel)))
    case .ping(let request): send(.pong(PongAnswer(id: request.id, time: 1_800_000_000_000)))
    case .diagnose(let request):
      send(
        .diagnosis(
          DiagnosisAnswer(
            id: request.id, channel: request.channel,
            findings: [DiagnosisFinding(uid: 8, cause: .senderMuted, sentence: "user 8 has muted its audio")])))
    case .relayMedia(let request): if answersMediaRelay { relay(request) }
    case .message, .presence, .preload: break
    }
  }

  private func relay(_ request: MediaRelayRequest) {
    if let mediaRelayRefusal, !request.destinations.isEmpty {
      return send(.failed(mediaRelayRefusal.answering(request.id)))
    }
    let destinations = request.destinations.map { destination in
      let uid: UInt32 = if case .uid(let uid)? = destination.user { uid } else { 77 }
      return MediaRelayAnswer.Destination(channel: destination.channel, uid: uid)
    }
    send(.mediaRelayed(MediaRelayAnswer(id: request.id, channel: request.channel, destinations: destinations)))
  }

  private func join(_ request: JoinRequest, _ now: Int) {
    if let joinRefusal { return send(.failed(joinRefusal.answering(request.id))) }
    guard case .transport(let parameters) = request.media else { return }
    let credentials = ICECredentials()
    transport = MediaTransport(
      server: credentials, certificate: Self.certificate,
      remoteFingerprints: [parameters.fingerprint], nowNanoseconds: now)
    let uid: UInt32 = if case .uid(let uid) = request.user, uid != 0 { uid } else { 77 }
    let own = TransportParameters(
      ufrag: credentials.fragment, password: SecretText(credentials.password),
      fingerprint: Self.certificate.fingerprint, setup: .passive,
      candidates: [
        TransportCandidate(kind: .host, address: "192.0.2.1", port: 4_000, priority: 2_130_706_431, foundation: "1")
      ])
    send(
      .joined(
        JoinedAnswer(
          id: request.id, channel: request.channel, uid: uid, media: .transport(own), ssrc: ssrc, users: users,
          dropMilliseconds: dropMilliseconds)))
  }

  func receive(datagram: [UInt8], from source: SocketAddress, _ now: Int) {
    datagramCount += 1
    memory.copyBytes(from: datagram)
    switch transport?.receive(
      UnsafeMutableRawBufferPointer(rebasing: memory[..<datagram.count]), from: source, nowNanoseconds: now)
    {
    case .rtp(let count): packets.append(Array(memory[..<count]))
    case .rtcp, .nothing, nil: break
    }
  }

  /// Returns an RTP packet for the client, protected.
  func packet(ssrc: UInt32, number: UInt16) -> [UInt8]? {
    let plain: [UInt8] =
      [0x80, 111, UInt8(number >> 8), UInt8(number & 255), 0, 0, 0, 1]
      + withUnsafeBytes(of: ssrc.bigEndian) { Array($0) } + [1, 2, 3, 4]
    memory.copyBytes(from: plain)
    return transport?.protect(memory, byteCount: plain.count).map { Array(memory[..<$0]) }
  }
}

extension FailureReport {
  func answering(_ id: UInt32) -> FailureReport {
    FailureReport(
      id: id, channel: channel, code: code, reason: reason, sentence: sentence, cause: cause, limit: limit,
      destination: destination)
  }
}
