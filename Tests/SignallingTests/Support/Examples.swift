import Cryptography
import Signalling

/// Messages with every field, and with the required ones only.
enum Examples {
  static let lobby = ChannelName("lobby ]")!
  static let hall = ChannelName("hall")!
  static let ann = UserAccount("ann {1}")!
  static let password = "asd88fgpdd777uzjYhagZg"

  static let transport = TransportParameters(
    ufrag: "8h+/", password: SecretText(password), fingerprint: CertificateFingerprint(bytes: Array(0..<32))!,
    setup: .actpass,
    candidates: [
      TransportCandidate(kind: .host, address: "2001:db8::1", port: 1, priority: 1, foundation: "a"),
      TransportCandidate(
        kind: .serverReflexive, address: "192.0.2.1", port: .max, priority: 2_147_483_647, foundation: "+"),
      TransportCandidate(kind: .peerReflexive, address: "a-b.local", port: 9, priority: 7, foundation: "/"),
      TransportCandidate(kind: .relayed, address: "host_1", port: 9, priority: 7, foundation: "0"),
    ])
  static let sdp = MediaDescription.sdp(SecretText("v=0\r\na=ice-pwd:\(password)\r\n\t\u{7F}"))

  static let client: [ClientMessage] = [
    .hello(
      HelloRequest(
        id: .max, credential: .token(SecretText("eyJtoken")), user: .account(ann), resume: SecretText("eyJresume"),
        info: "é\n\"",
        software: "")
    ),
    .hello(HelloRequest(id: 1, credential: .app(AppID("demo")!))),
    .hello(HelloRequest(id: 1, credential: .app(AppID("demo")!), user: .uid(.max))),
    .join(
      JoinRequest(
        id: 2, channel: lobby, user: .account(ann), token: SecretText("eyJtoken"), role: .broadcaster,
        profile: .gameCommand, publishes: true, autoSubscribe: false, info: "é\n\"", media: .transport(transport))),
    .join(JoinRequest(id: 2, channel: lobby, user: .uid(0), media: sdp)),
    .join(JoinRequest(id: 2, channel: lobby, user: .uid(7), media: .transport(transport), preloaded: true)),
    .update(
      UpdateRequest(
        id: 3, channel: lobby, role: .audience, publishes: false, muted: true, autoSubscribe: true,
        users: [
          UserOptions(uid: .max, subscribes: true, muted: false), UserOptions(uid: 1),
          UserOptions(uid: 2, automatic: true),
        ])),
    .update(UpdateRequest(id: 3, channel: lobby)),
    .update(UpdateRequest(id: 3, channel: lobby, music: true, quality: UserQuality(sent: 0, received: 8))),
    .renewToken(RenewalRequest(id: 4, channel: lobby, token: SecretText("eyJtoken"))),
    .renewToken(RenewalRequest(id: 4, token: SecretText("eyJtoken"))),
    .leave(LeaveRequest(id: 5, channel: lobby)),
    .ping(PingRequest(id: 6)),
    .diagnose(DiagnosisRequest(id: 7, channel: lobby, uid: 9)),
    .diagnose(DiagnosisRequest(id: 7, channel: lobby)),
    .message(MessageRequest(id: 8, to: .uid(1), body: "\u{1D11E}")),
    .message(MessageRequest(id: 8, to: .account(ann), body: "x")),
    .presence(PresenceRequest(id: 9, user: .uid(1))),
    .presence(PresenceRequest(id: .max, user: .account(ann))),
    .preload(
      PreloadRequest(
        id: 10, channel: lobby, user: .account(ann), token: SecretText("eyJtoken"), profile: .gameFree,
        transport: transport)),
    .preload(PreloadRequest(id: .max, channel: lobby, user: .uid(0), transport: transport)),
    .relayMedia(
      MediaRelayRequest(
        id: 11, channel: lobby, token: SecretText("eyJsource"),
        destinations: [
          RelayDestination(channel: hall, user: .uid(0), token: SecretText("eyJtoken")),
          RelayDestination(channel: ChannelName("b")!, user: .account(ann)),
          RelayDestination(channel: ChannelName("c")!),
        ], paused: true)),
    .relayMedia(MediaRelayRequest(id: .max, channel: lobby, destinations: [])),
  ]

  static let relay: [RelayMessage] =
    [
      .welcome(
        WelcomeAnswer(
          id: 1, session: "s", resume: SecretText("eyJresume"), resumed: true, time: 1_800_000_000_000,
          keepAliveMilliseconds: 500,
          limits: [NamedLimit(name: "a", value: 1, setting: "--a"), NamedLimit(name: "b", value: 0)],
          uid: .max)),
      .welcome(WelcomeAnswer(id: 1, session: "s", resume: SecretText("r"), time: 0, keepAliveMilliseconds: 1 << 53)),
      .joined(
        JoinedAnswer(
          id: 2, channel: lobby, uid: 7, account: ann, media: .transport(transport), ssrc: .max,
          users: [ChannelUser(uid: 8, account: ann, muted: true, publishes: true, ssrc: 0), ChannelUser(uid: 9)],
          dropMilliseconds: 1 << 53)),
      .joined(JoinedAnswer(id: 2, channel: lobby, uid: 7, media: sdp)),
      .joined(
        JoinedAnswer(
          id: 2, channel: lobby, uid: 7, media: .transport(transport), preloaded: true, dropMilliseconds: 0)),
      .updated(UpdatedAnswer(id: 3, channel: lobby, ssrc: 1)),
      .updated(UpdatedAnswer(id: 3, channel: lobby)),
      .tokenRenewed(RenewedAnswer(id: 4, channel: lobby, milliseconds: 1)),
      .tokenRenewed(RenewedAnswer(id: 4, milliseconds: 1)),
      .left(LeftAnswer(id: 5, channel: lobby)),
      .pong(PongAnswer(id: 6, time: 5)),
      .diagnosis(
        DiagnosisAnswer(
          id: 7, channel: lobby,
          findings: DiagnosisCause.allCases.map { DiagnosisFinding(uid: 1, cause: $0, sentence: "unmute it") })),
      .delivered(DeliveredAnswer(id: 8, sessions: 2)),
      .noSuchUser(NoSuchUserAnswer(id: 8, to: .account(ann))),
      .presence(PresenceAnswer(id: 9, user: .uid(1), online: true)),
      .presence(PresenceAnswer(id: .max, user: .account(ann), online: false)),
      .preloaded(PreloadedAnswer(id: 10, channel: lobby, transport: transport)),
      .mediaRelayed(MediaRelayAnswer(id: 11, channel: lobby, destinations: [.init(channel: hall, uid: .max)])),
      .mediaRelayed(MediaRelayAnswer(id: 11, channel: lobby, destinations: [])),
      .speakers(SpeakersEvent(channel: lobby, users: [1, .max])), .speakers(SpeakersEvent(channel: lobby, users: [])),
      .speakers(SpeakersEvent(channel: lobby, users: nil)),
      .dataUpdated(DataUpdatedEvent(channel: lobby, data: DataSources(sent: 3, received: .max))),
      .dataUpdated(DataUpdatedEvent(channel: lobby, data: DataSources(sent: nil, received: 4))),
      .mediaRelayEnded(
        MediaRelayEndedEvent(channel: lobby, destination: hall, code: .tokenExpired, sentence: "renew it")),
      .mediaRelayEnded(
        MediaRelayEndedEvent(channel: lobby, destination: hall, code: .refused, sentence: "s", isOfSource: true)),
      .failed(FailureReport(id: 11, channel: lobby, code: .refused, sentence: "s", destination: hall)),
      .userJoined(UserJoinedEvent(channel: lobby, user: ChannelUser(uid: 8, account: ann, muted: true))),
      .userUpdated(UserUpdatedEvent(channel: lobby, uid: 8, muted: false, publishes: true, ssrc: 4)),
      .userUpdated(UserUpdatedEvent(channel: lobby, uid: 8)),
      .userUpdated(
        UserUpdatedEvent(channel: lobby, uid: 8, music: false, quality: UserQuality(sent: 8, received: 0))),
      .userJoined(
        UserJoinedEvent(
          channel: lobby, user: ChannelUser(uid: 8, music: true, quality: UserQuality(sent: 1, received: 6)))),
      .tokenWillExpire(TokenExpiryEvent(channel: lobby, milliseconds: 30_000)),
      .tokenWillExpire(TokenExpiryEvent(milliseconds: 0)),
      .moveTo(MoveEvent(relays: ["wss://a", "wss://b"], milliseconds: 1)),
      .message(MessageEvent(from: .uid(3), body: "x")),
      .failed(
        FailureReport(
          id: 1, channel: lobby, code: .refused, reason: .rejected, sentence: "raise it",
          limit: NamedLimit(name: "channels", value: 8, setting: "--max-channels"))),
    ]
    + ConnectionReason.allCases.map { .failed(FailureReport(code: .general, reason: $0, sentence: "s")) }
    + ChannelErrorCode.allCases.map { .failed(FailureReport(code: $0, sentence: "s")) }
    + OfflineReason.allCases.map { .userLeft(UserLeftEvent(channel: lobby, uid: 8, reason: $0)) }
}
