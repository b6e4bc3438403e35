import Cryptography
import Platform
import RTP
import Relay
import Signalling
import WebRTC

/// A client of the tests: signalling, one media connection for each channel, and plain RTP packets.
final class SimulatedClient {
  unowned let relay: SimulatedRelay
  private(set) var connection: UInt64
  let number: Int
  let signallingAddress: SocketAddress
  /// Messages that came, with their times in milliseconds.
  private(set) var messages: [(milliseconds: Int, message: RelayMessage)] = []
  private(set) var media: [String: SimulatedMedia] = [:]
  /// Media connections ahead of a join, also those that have ended.
  private(set) var preloads: [SimulatedMedia] = []
  var closedCode: UInt16?
  /// Whether the client takes no more part.
  var isGone = false
  private(set) var resume: SecretText?
  /// The latest answer to `hello`.
  private(set) var welcome: WelcomeAnswer?
  /// Answers to `presence`.
  private(set) var presences: [PresenceAnswer] = []
  private var nextID: UInt32 = 0
  private var mediaCount = 0

  init(_ relay: SimulatedRelay, number: Int) {
    self.relay = relay
    self.number = number
    connection = UInt64(number)
    signallingAddress = SocketAddress(host: "198.51.100.\(number % 250 + 1)", port: 50_000)!
  }

  // MARK: Signalling

  func id() -> UInt32 {
    nextID += 1
    return nextID
  }

  func hello(
    _ token: String, user: UserIdentity? = nil, resume: SecretText? = nil, info: String? = nil, software: String? = nil
  ) {
    send(
      .hello(
        HelloRequest(
          id: id(), credential: .token(SecretText(token)), user: user, resume: resume, info: info, software: software)))
  }

  func hello(app: AppID, user: UserIdentity? = nil) {
    send(.hello(HelloRequest(id: id(), credential: .app(app), user: user)))
  }

  func renew(_ token: String, channel: String? = nil) {
    send(
      .renewToken(RenewalRequest(id: id(), channel: channel.flatMap { ChannelName($0) }, token: SecretText(token))))
  }

  func message(_ user: UserIdentity, _ body: String = "hello") {
    send(.message(MessageRequest(id: id(), to: user, body: body)))
  }

  /// Returns whether the relay says that a user is online; nil without an answer.
  func isOnline(_ user: UserIdentity) -> Bool? {
    let request = PresenceRequest(id: id(), user: user)
    send(.presence(request))
    return presences.last { $0.id == request.id && $0.user == user }?.online
  }

  func send(_ message: ClientMessage) { relay.send(message, on: connection) }

  /// Opens another connection.
  func reconnect() {
    connection += 10_000
    closedCode = nil
    relay.core.opened(connection, from: signallingAddress, nowNanoseconds: relay.now)
  }

  func take(_ text: String) {
    guard let message = try? RelayMessage(reading: text) else { return }
    if case .presence(let answer) = message { return presences.append(answer) }
    messages.append((relay.now / 1_000_000, message))
    if case .welcome(let answer) = message { (resume, welcome) = (answer.resume, answer) }
    if case .preloaded(let answer) = message { preloads.last?.begin(answer.transport, relay.now) }
    if case .joined(let answer) = message {
      if answer.preloaded, let index = preloads.lastIndex(where: { $0.hasTransport(of: answer) }) {
        media[answer.channel.text] = preloads.remove(at: index)
      }
      media[answer.channel.text]?.begin(answer, relay.now)
    }
  }

  @discardableResult
  func join(
    _ channel: String = "lobby", uid: UInt32 = 0, account: String? = nil, role: ClientRole = .broadcaster,
    profile: ChannelProfile = .live, publishes: Bool = true, autoSubscribe: Bool = true, token: String? = nil,
    info: String? = nil, offer: AiortcOffer? = nil, preloaded: Bool = false,
    data: Bool = false, speakers: UInt32? = nil, speakerEvents: Bool = false
  ) -> SimulatedMedia {
    let new = makeMedia()
    new.offer = offer
    if offer != nil { new.payloadType = AiortcOffer.payloadType }
    let before = media[channel]
    media[channel] = new
    let count = messages.count
    send(
      .join(
        JoinRequest(
          id: id(), channel: ChannelName(channel)!, user: account.map { .account(UserAccount($0)!) } ?? .uid(uid),
          token: token.map(SecretText.init), role: role, profile: profile, publishes: publishes,
          autoSubscribe: autoSubscribe, info: info, media: new.description, preloaded: preloaded, data: data,
          speakers: speakers, speakerEvents: speakerEvents)))
    if messages.count == count {
      media[channel] = before
      return new
    }
    return media[channel] ?? new
  }

  private func makeMedia() -> SimulatedMedia {
    mediaCount += 1
    return SimulatedMedia(
      SocketAddress(
        host: "198.51.100.\(number % 250 + 1)", port: UInt16(10_000 + number / 250 * 1_000 + mediaCount))!)
  }

  /// Makes a media connection ahead of a join.
  @discardableResult
  func preload(
    _ channel: String = "lobby", uid: UInt32 = 0, account: String? = nil, token: String? = nil,
    profile: ChannelProfile = .live, fingerprint: CertificateFingerprint? = nil
  ) -> SimulatedMedia {
    let new = makeMedia()
    if let fingerprint { new.fingerprint = fingerprint }
    preloads.append(new)
    send(
      .preload(
        PreloadRequest(
          id: id(), channel: ChannelName(channel)!, user: account.map { .account(UserAccount($0)!) } ?? .uid(uid),
          token: token.map(SecretText.init), profile: profile, transport: new.parameters)))
    return new
  }

  func update(
    _ channel: String = "lobby", role: ClientRole? = nil, publishes: Bool? = nil, muted: Bool? = nil,
    music: Bool? = nil, quality: UserQuality? = nil, autoSubscribe: Bool? = nil, speakers: UInt32? = nil,
    users: [UserOptions] = []
  ) {
    send(
      .update(
        UpdateRequest(
          id: id(), channel: ChannelName(channel)!, role: role, publishes: publishes, muted: muted, music: music,
          quality: quality, autoSubscribe: autoSubscribe, speakers: speakers, users: users)))
  }

  /// Relays the audio to other channels, each with a token.
  func relay(
    _ channel: String = "lobby", to destinations: [(channel: String, token: String?)], token: String? = nil,
    user: UserIdentity? = nil, paused: Bool = false
  ) {
    send(
      .relayMedia(
        MediaRelayRequest(
          id: id(), channel: ChannelName(channel)!, token: token.map(SecretText.init),
          destinations: destinations.map {
            RelayDestination(channel: ChannelName($0.channel)!, user: user, token: $0.token.map(SecretText.init))
          }, paused: paused)))
  }

  func leave(_ channel: String = "lobby") {
    send(.leave(LeaveRequest(id: id(), channel: ChannelName(channel)!)))
    media[channel] = nil
  }

  /// Messages as short texts, without their times; each call returns those since the last.
  func takeEvents() -> [String] {
    defer { messages = [] }
    return messages.map { Self.text($0.message) }
  }

  /// Messages as short texts behind their times in milliseconds.
  func takeTimedEvents() -> [String] {
    defer { messages = [] }
    return messages.map { "\($0.milliseconds) \(Self.text($0.message))" }
  }

  /// Ends and warnings as short texts with their times in seconds and their channels; each call returns those since the
  /// last.
  func takeEnds() -> [String] {
    defer { messages = [] }
    return messages.compactMap { milliseconds, message in
      let seconds = milliseconds / 1_000
      switch message {
      case .failed(let report):
        return "\(seconds) failed \(report.channel?.text ?? "session") \(report.code.rawValue)"
          + (report.reason.map { "/\($0.rawValue)" } ?? "")
      case .tokenWillExpire(let event):
        return "\(seconds) tokenWillExpire \(event.channel?.text ?? "session") \(event.milliseconds)"
      default: return nil
      }
    }
  }

  static func text(_ message: RelayMessage) -> String {
    switch message {
    case .welcome(let answer): "welcome\(answer.resumed ? " resumed" : "")"
    case .joined(let answer):
      "joined \(answer.uid)\(answer.preloaded ? " preloaded" : "") "
        + "[\(answer.users.map { "\($0.uid)" }.joined(separator: " "))]"
    case .updated: "updated"
    case .tokenRenewed: "tokenRenewed"
    case .left: "left"
    case .pong: "pong"
    case .diagnosis(let answer): "diagnosis \(answer.findings.map { "\($0.uid) \($0.cause)" }.joined(separator: ", "))"
    case .delivered(let answer): "delivered \(answer.sessions)"
    case .noSuchUser: "noSuchUser"
    case .preloaded: "preloaded"
    case .mediaRelayed(let answer):
      "mediaRelayed [\(answer.destinations.map { "\($0.channel) \($0.uid)" }.joined(separator: ", "))]"
    case .mediaRelayEnded(let event): "mediaRelayEnded \(event.destination) \(event.code.rawValue)"
    case .presence(let answer): "presence \(answer.online)"
    case .failed(let report):
      "failed \(report.code.rawValue)\(report.reason.map { "/\($0.rawValue)" } ?? "")"
        + (report.limit.map { " \($0.name) \($0.value)" } ?? "") + (report.destination.map { " to \($0)" } ?? "")
    case .userJoined(let event): "userJoined \(event.user.uid)"
    case .userLeft(let event): "userLeft \(event.uid) \(event.reason.rawValue)"
    case .userUpdated(let event):
      "userUpdated \(event.uid)" + (event.muted.map { $0 ? " muted" : " unmuted" } ?? "")
        + (event.publishes.map { $0 ? " publishes" : " silent" } ?? "") + (event.ssrc == nil ? "" : " ssrc")
    case .speakers(let event): "speakers \(event.users.map { "\($0)" } ?? "all")"
    case .dataUpdated(let event): "dataUpdated \(event.data.sent == nil ? "receives" : "sends")"
    case .tokenWillExpire(let event): "tokenWillExpire \(event.milliseconds)"
    case .moveTo(let event): "moveTo \(event.relays.joined(separator: " ")) \(event.milliseconds)"
    case .message(let event): "message of \(event.from): \(event.body)"
    }
  }

  // MARK: Media

  private var transports: [SimulatedMedia] { media.values + preloads }

  var nextDeadlineNanoseconds: Int? { transports.compactMap(\.nextDeadlineNanoseconds).min() }

  func poll(_ now: Int) { for media in transports { media.poll(now) } }

  func receive(_ bytes: [UInt8], at address: SocketAddress, from worker: Int, _ now: Int) -> Bool {
    guard let media = transports.first(where: { $0.address == address }) else { return false }
    media.receive(bytes, from: SimulatedRelay.address(of: worker), now)
    return true
  }

  func flush() {
    for media in transports {
      while let datagram = media.transport?.takeDatagram() {
        relay.transmit(datagram.bytes, from: media.address, to: datagram.address)
      }
      while media.transport?.takeEvent() != nil {}
      for bytes in media.outgoing { relay.transmit(bytes, from: media.address, to: media.relayAddress) }
      media.outgoing = []
    }
  }
}
