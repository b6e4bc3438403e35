import NetworkIO
import Relay
import RelayClient
import Signalling
import TestSupport
import Testing

/// Media transports ahead of a join, at a relay without sockets and 40 ms of round trip.
@Suite(.timeLimit(.minutes(5))) struct SessionPreloadTests {
  private static let token = SessionRig.token(.uid(7))
  private static let bobsToken = SessionRig.token(.uid(8))

  /// A user that speaks in a room, and one that has preloaded it.
  private static func preloaded(
    delay: Int = 20_000_000, profile: ChannelProfile = .live
  ) -> (rig: SessionRig, ann: SessionUser, bob: SessionUser) {
    let rig = SessionRig()
    rig.delay = delay
    let (ann, bob) = (rig.user(.uid(7)), rig.user(.uid(8)))
    bob.join("room", bobsToken, profile: profile)
    ann.preload("room", token, profile: profile)
    rig.run(to: 2_000)
    return (rig, ann, bob)
  }

  @Test("a preload connects its transport, and nobody hears of a user", .shows("C13"))
  func announcesNobody() {
    let (rig, ann, bob) = Self.preloaded()
    // As a join: the WebSocket, the request, the check with the ClientHello, and the client's Finished.
    #expect(ann.preloads[0].log == ["160 ready"])
    #expect(rig.core?.transportCount == 2 && ann.socketCount == 1)
    #expect(bob["room"].membership.users.isEmpty && bob["room"].log.allSatisfy { !$0.contains("user 7") })
    bob["room"].send([1, 2, 3], rig.now)
    rig.run(to: 3_000)
    #expect(ann.channels.isEmpty && ann.preloads[0].log == ["160 ready"])
  }

  @Test("a preloaded join takes one round trip", .shows("C13"), arguments: [0, 10, 25, 50])
  func join(delayMilliseconds delay: Int) {
    let (rig, ann, bob) = Self.preloaded(delay: delay * 1_000_000)
    let channel = ann.join("room", Self.token, role: .audience)
    rig.run(to: 2_000 + 2 * delay)
    #expect(channel.log.contains("\(2_000 + 2 * delay) joined 7 after \(2 * delay)"), "\(channel.log)")
    bob["room"].send([1, 2, 3], rig.now)
    rig.run(to: 3_000)
    #expect(channel.payloads == [[1, 2, 3]])
    // The transport is the preload's.
    #expect(rig.core?.transportCount == 2 && ann.socketCount == 1)
  }

  @Test("a preload without roles serves a join that publishes", .shows("C13"))
  func publishes() {
    let (rig, ann, bob) = Self.preloaded(profile: .communication)
    let channel = ann.join("room", Self.token, profile: .communication)
    rig.run(to: 2_040)
    #expect(channel.log.contains("2040 joined 7 after 40"))
    channel.send([9], rig.now)
    rig.run(to: 3_000)
    #expect(bob["room"].payloads == [[9]] && bob["room"].log.contains { $0.contains("user 7 after") })
  }

  @Test("a join that differs from the preload takes three round trips", .shows("C13"))
  func differs() {
    let other = SessionRig.token(.uid(7), seconds: 1_800)
    let joins: [(SessionUser) -> SessionChannel] = [
      { $0.join("room", Self.token, role: .broadcaster) }, { $0.join("room", other, role: .audience) },
      { $0.join("room", Self.token, role: .audience, profile: .gameFree) },
      { $0.join("hall", Self.token, role: .audience) },
    ]
    for join in joins {
      let rig = SessionRig()
      let ann = rig.user(.uid(7))
      ann.preload("room", Self.token)
      rig.run(to: 2_000)
      let channel = join(ann)
      rig.run(to: 3_000)
      #expect(channel.log.contains("2120 joined 7 after 120"), "\(channel.log)")
    }
  }

  @Test("a preload serves the join behind a leave, too", .shows("C13"))
  func again() {
    let (rig, ann, _) = Self.preloaded()
    for round in 0..<3 {
      let start = 2_000 + 1_000 * round
      let channel = ann.join("room", Self.token, role: .audience)
      rig.run(to: start + 400)
      #expect(channel.log.contains("\(start + 40) joined 7 after 40"), "round \(round): \(channel.log)")
      channel.membership.leave(nowNanoseconds: rig.now)
      rig.run(to: start + 1_000)
      #expect(channel.membership.state == .disconnected && ann.preloads[0].preload.isReady)
    }
    #expect(ann.socketCount == 1 && rig.core?.transportCount == 2)
  }

  @Test("checks keep a preload alive, and its token ends it", .shows("C13"))
  func life() {
    let (rig, ann, _) = Self.preloaded()
    rig.run(to: 3_590_000)
    #expect(ann.preloads[0].log == ["160 ready"] && rig.core?.transportCount == 2)
    rig.run(to: 3_660_000)
    #expect(
      ann.preloads[0].log.map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == [
        "ready", "ended -109",
      ])
    #expect(ann.session.isIdle && ann.socket == nil && ann.session.nextDeadlineNanoseconds == nil)
  }

  @Test("a new token continues a preload and its session", .shows("C13"))
  func renew() {
    let (rig, ann, _) = Self.preloaded()
    let new = SessionRig.token(.uid(7), seconds: 7_200)
    guard case .token(let text) = new else { return }
    ann.preloads[0].preload.renew(text, nowNanoseconds: rig.now)
    ann.hasNews = true
    rig.run(to: 5_000_000)
    #expect(ann.preloads[0].log == ["160 ready", "2120 ready"] && ann.socketCount == 1)
    let channel = ann.join("room", new, role: .audience)
    rig.run(to: 5_000_040)
    #expect(channel.log.contains("5000040 joined 7 after 40"))
  }

  @Test("a new token that the relay refuses ends the preload", .shows("C13"))
  func refusedToken() {
    let (rig, ann, _) = Self.preloaded()
    guard case .token(let text) = Self.bobsToken else { return }
    ann.preloads[0].preload.renew(text, nowNanoseconds: rig.now)
    ann.hasNews = true
    rig.run(to: 3_000)
    #expect(ann.preloads[0].log == ["160 ready", "2040 ended -110"] && rig.core?.transportCount == 1)
    #expect(ann.session.isIdle && ann.socket == nil)
  }

  @Test("a cut and a restart of the relay bring preloads back", .shows("C13"))
  func cut() {
    let (rig, ann, _) = Self.preloaded()
    ann.cutSocket()
    rig.run(to: 5_000)
    #expect(ann.preloads[0].log == ["160 ready", "2160 ready"])
    rig.stopRelay()
    rig.run(to: 6_000)
    rig.startRelay()
    rig.run(to: 10_000)
    #expect(ann.preloads[0].preload.isReady)
    let channel = ann.join("room", Self.token, role: .audience)
    rig.run(to: 10_040)
    #expect(channel.log.contains("10040 joined 7 after 40"))
  }

  @Test("a preload without packets is replaced", .shows("C13"))
  func silence() {
    let (rig, ann, _) = Self.preloaded()
    ann.preloads[0].media.isOpen = false
    rig.run(to: 30_000)
    #expect(!ann.preloads[0].preload.isReady)
    ann.preloads[0].media.isOpen = true
    rig.run(to: 60_000)
    #expect(ann.preloads[0].preload.isReady && rig.core?.transportCount == 2)
  }

  @Test("a join during the handshake takes the transport as it is", .shows("C13"))
  func handshake() {
    let rig = SessionRig()
    let ann = rig.user(.uid(7))
    ann.preload("room", Self.token)
    // The answer has come, and the check is on its way.
    rig.run(to: 130)
    let channel = ann.join("room", Self.token, role: .audience)
    rig.run(to: 1_000)
    #expect(channel.membership.state == .connected && rig.core?.transportCount == 1, "\(channel.log)")
  }

  @Test("a refused preload ends with the relay's reason", .shows("C13"))
  func refused() {
    let rig = SessionRig()
    let ann = rig.user(.uid(7))
    ann.join("hall", Self.token)
    rig.run(to: 1_000)
    ann.preload("room", SessionRig.token(.uid(7), channel: "other"))
    rig.run(to: 2_000)
    #expect(ann.preloads[0].log == ["1040 ended -110"] && ann["hall"].membership.state == .connected)
    #expect(ann.session.preloads.isEmpty)
  }

  @Test("another preload of a channel takes the place of the former one", .shows("C13"))
  func replaced() {
    let (rig, ann, _) = Self.preloaded()
    let other = SessionRig.token(.uid(7), seconds: 7_200)
    ann.preload("room", other)
    rig.run(to: 3_000)
    // The session stays open all the while.
    #expect(ann.socketCount == 1 && rig.core?.transportCount == 2)
    #expect(ann.preloads.map(\.log) == [["160 ready", "2000 ended"], ["2120 ready"]])
  }

  @Test("a refused join gives its preload back", .shows("C13", "C21"))
  func fullChannel() {
    let rig = SessionRig { $0.limits.usersPerChannel = 1 }
    let (ann, bob) = (rig.user(.uid(7)), rig.user(.uid(8)))
    ann.preload("room", Self.token)
    bob.join("room", Self.bobsToken)
    rig.run(to: 2_000)
    let refused = ann.join("room", Self.token, role: .audience)
    rig.run(to: 3_000)
    #expect(refused.membership.state == .failed && ann.preloads[0].preload.isReady && rig.core?.transportCount == 2)
    bob["room"].membership.leave(nowNanoseconds: rig.now)
    rig.run(to: 4_000)
    let channel = ann.join("room", Self.token, role: .audience)
    rig.run(to: 4_040)
    #expect(channel.log.contains("4040 joined 7 after 40"))
  }

  @Test("a preload with a token of another app hinders no join", .shows("C13"))
  func otherApp() throws {
    let rig = SessionRig()
    let ann = rig.user(.uid(7))
    let token = try Token(
      app: #require(AppID("elsewhere")), scope: .anyChannel, user: .uid(7), role: .audience,
      expires: SessionRig.unixMilliseconds / 1_000 + 60)
    ann.preload("room", .token(SecretText(TokenSigner(SessionRig.secret).sign(token))))
    // `hello` is on its way with that token.
    rig.run(to: 50)
    ann.join("hall", Self.token)
    rig.run(to: 2_000)
    #expect(ann["hall"].membership.state == .connected && ann.preloads[0].log == ["80 ended -110"])
  }

  @Test("a join without packets leaves preloads as they are", .shows("C13"))
  func otherJoinFails() {
    let (rig, ann, _) = Self.preloaded()
    ann.join("hall", Self.token)
    ann["hall"].media.isOpen = false
    rig.run(to: 60_000)
    #expect(ann["hall"].membership.state == .connecting && ann.socketCount == 1)
    #expect(ann.preloads[0].log == ["160 ready"])
  }

  @Test("a certificate that is not accepted ends a first preload at once", .shows("C13"))
  func permanentFault() {
    let rig = SessionRig()
    let ann = rig.user(.uid(7))
    ann.preload("room", Self.token)
    rig.run(to: 10)
    ann.session.signallingFailed(.init(.certificate("self-signed"), "wss://relay.example/"), nowNanoseconds: rig.now)
    rig.run(to: 1_000)
    #expect(ann.preloads[0].log == ["10 ended -1"] && ann.session.isIdle)
  }

  @Test("a relay that accepts connections and says nothing ends a preload", .shows("C13"))
  func silentRelay() {
    let rig = SessionRig()
    let ann = rig.user(.uid(7))
    ann.preload("room", Self.token)
    rig.isDeaf = true
    rig.run(to: 1_300_000)
    #expect(ann.preloads[0].log.count == 1 && ann.preloads[0].log.last?.hasSuffix("ended -1") == true)
    #expect(ann.session.isIdle)
  }

  @Test("an end closes the transport at the relay", .shows("C13"))
  func end() {
    let (rig, ann, _) = Self.preloaded()
    ann.join("hall", Self.token)
    rig.run(to: 3_000)
    ann.preloads[0].preload.end(nowNanoseconds: rig.now)
    ann.hasNews = true
    rig.run(to: 4_000)
    #expect(rig.core?.transportCount == 2 && ann["hall"].membership.state == .connected)
    #expect(ann.preloads[0].log == ["160 ready", "3000 ended"])
  }
}
