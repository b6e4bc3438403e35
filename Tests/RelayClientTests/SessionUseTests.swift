import Relay
import RelayClient
import Signalling
import TestSupport
import Testing

/// Sessions and channels of one user that share a token, a connection and its limits.
@Suite(.timeLimit(.minutes(5))) struct SessionUseTests {
  private static let token = SessionRig.token(.uid(7))

  private static func text(_ credential: SessionCredential) -> SecretText {
    guard case .token(let text) = credential else { return SecretText("") }
    return text
  }

  /// Two users of a room, one with a session that the program holds.
  private static func pair(
    _ change: (inout RelayConfiguration) -> Void = { _ in }
  ) -> (rig: SessionRig, ann: SessionUser, bob: SessionUser) {
    let rig = SessionRig(change)
    let (ann, bob) = (rig.user(.uid(7)), rig.user(.uid(8)))
    ann.join("room", token)
    bob.join("room")
    rig.run(to: 1_000)
    ann.session.hold(token, limitNanoseconds: 3_000_000_000, nowNanoseconds: rig.now)
    ann.hasNews = true
    rig.run(to: 2_000)
    return (rig, ann, bob)
  }

  @Test("a hold of an open session has no limit of its opening", .shows("C23"))
  func openLimit() {
    let (rig, ann, _) = Self.pair()
    rig.run(to: 60_000)
    #expect(ann.log == ["80 opened new", "1000 opened new"])
    #expect(ann.session.isHeld && ann["room"].membership.state == .connected)
  }

  @Test("a burst of 300 messages and 300 mutes ends no session", .shows("C21", "C23"))
  func burst() {
    let (rig, ann, bob) = Self.pair()
    for number in 0..<300 { _ = ann.session.send("\(number)", to: .uid(8), nowNanoseconds: rig.now) }
    for uid in 0..<300 {
      var settings = bob["room"].membership.settings
      settings.mutedUsers.insert(UInt32(1_000 + uid))
      bob["room"].membership.update(settings, nowNanoseconds: rig.now)
    }
    for user in [ann, bob] { user.hasNews = true }
    rig.run(to: 20_000)
    #expect(ann["room"].membership.state == .connected && bob["room"].membership.state == .connected)
    let refused = ann.log.count { $0.hasSuffix("refused -5") }
    // The limit of messages refuses some by name.
    #expect(ann.outcomes.count + refused == 300 && ann.outcomes.count >= 150, "\(ann.outcomes.count) + \(refused)")
    #expect(bob.received.count == ann.outcomes.count && rig.core?.counters.bans == 0)
  }

  @Test("a message that a relay does not answer is unknown after 10 s", .shows("C23"))
  func unanswered() {
    let (rig, ann, _) = Self.pair()
    rig.isDeaf = true
    _ = ann.session.send("hello", to: .uid(8), nowNanoseconds: rig.now)
    ann.hasNews = true
    rig.run(to: 11_900)
    #expect(ann.outcomes.isEmpty)
    rig.run(to: 12_100)
    #expect(ann.outcomes == [.unknown])
  }

  @Test("messages do not hide a dead media path", .shows("C9"))
  func messagesAndSilence() {
    let (rig, ann, bob) = Self.pair()
    ann["room"].forget()
    ann["room"].media.isOpen = false
    bob.session.hold(SessionRig.token(.uid(8)), nowNanoseconds: rig.now)
    for second in 2..<12 {
      rig.run(to: second * 1_000)
      _ = bob.session.send("\(second)", to: .uid(7), nowNanoseconds: rig.now)
      bob.hasNews = true
    }
    let silent = ann["room"].log.first.flatMap { Int($0.prefix { $0 != " " }) } ?? 0
    #expect(ann["room"].log.first?.hasSuffix("state 4/2") == true && (5_400...6_600).contains(silent), "\(silent)")
    #expect(ann.received.count >= 8)
  }

  @Test("a renewed token of a session is that of its channels, too", .shows("C12", "C23"))
  func sharedToken() {
    let (rig, ann, _) = Self.pair()
    let new = SessionRig.token(.uid(7), seconds: 7_200)
    _ = ann.session.renew(Self.text(new), nowNanoseconds: rig.now)
    ann.hasNews = true
    rig.run(to: 3_700_000)
    ann.cutSocket()
    rig.run(to: 3_710_000)
    #expect(ann["room"].membership.state == .connected && ann.session.isHeld && ann.session.isOpen, "\(ann.log)")
  }

  @Test("a renewed token of a channel leaves that of the held session", .shows("C12", "C23"))
  func heldToken() {
    let (rig, ann, _) = Self.pair()
    let own = SessionRig.token(.uid(7), channel: "room", seconds: 7_200)
    _ = ann["room"].membership.renew(Self.text(own), nowNanoseconds: rig.now)
    _ = ann.session.renew(Self.text(SessionRig.token(.uid(7), seconds: 7_000)), nowNanoseconds: rig.now)
    ann.hasNews = true
    rig.run(to: 3_700_000)
    ann.cutSocket()
    rig.run(to: 3_710_000)
    #expect(ann["room"].membership.state == .connected && ann.session.isHeld && ann.session.isOpen, "\(ann.log)")
  }

  @Test("a token that is renewed during an outage is refused by the next join", .shows("C12", "D2"))
  func outage() {
    let (rig, ann, _) = Self.pair()
    ann["room"].forget()
    rig.stopRelay()
    rig.run(to: 2_500)
    let id = ann["room"].membership.renew(SecretText("no token"), nowNanoseconds: rig.now)
    rig.startRelay()
    rig.run(to: 10_000)
    let refused = ann["room"].events.contains {
      if case .refused(let request, let error) = $0 { request == id && error.code == .invalidToken } else { false }
    }
    #expect(id != nil && refused && ann["room"].membership.state == .connected, "\(ann["room"].log)")
  }

  @Test("a token for anybody opens a session that is nobody", .shows("C23", "attack"))
  func guest() {
    let (rig, ann, bob) = Self.pair()
    bob.session.hold(SessionRig.token(.uid(8)), nowNanoseconds: rig.now)
    let spy = rig.user(.uid(8))
    spy.session.hold(SessionRig.token(.uid(0), channel: "room"), nowNanoseconds: rig.now)
    for user in [bob, spy] { user.hasNews = true }
    rig.run(to: 3_000)
    _ = ann.session.send("for bob alone", to: .uid(8), nowNanoseconds: rig.now)
    _ = spy.session.send("from bob?", to: .uid(7), nowNanoseconds: rig.now)
    for user in [ann, spy] { user.hasNews = true }
    rig.run(to: 4_000)
    #expect(ann.outcomes == [.delivered(sessionCount: 1)] && bob.received == ["7: for bob alone"])
    #expect(spy.received.isEmpty && ann.received.isEmpty && spy.log.contains { $0.hasSuffix("refused -121") })
  }

  @Test("a preload has a limit until it is connected", .shows("C13"))
  func preloadLimit() {
    let rig = SessionRig()
    rig.stopRelay()
    let ann = rig.user(.uid(7))
    ann.preload("room", Self.token, limitNanoseconds: 3_000_000_000)
    rig.run(to: 60_000)
    #expect(ann.preloads[0].log == ["3000 ended -1"] && ann.session.isIdle)
  }
}
