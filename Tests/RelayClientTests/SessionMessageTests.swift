import Relay
import RelayClient
import Signalling
import TestSupport
import Testing

/// Sessions that are held without a channel, and their messages, at 40 ms of round trip.
@Suite(.timeLimit(.minutes(10))) struct SessionMessageTests {
  private static func hold(_ rig: SessionRig, _ user: SessionUser, seconds: Int64 = 3_600) {
    user.session.hold(
      SessionRig.token(user.identity, seconds: seconds, at: rig.now / 1_000_000), nowNanoseconds: rig.now)
  }

  /// Two users, each with a session without a channel.
  private static func pair() -> (rig: SessionRig, ann: SessionUser, bob: SessionUser) {
    let rig = SessionRig()
    let (ann, bob) = (rig.user(.uid(1)), rig.user(.account(UserAccount("bob")!)))
    for user in [ann, bob] { hold(rig, user) }
    rig.run(to: 1_000)
    return (rig, ann, bob)
  }

  @Test("a session opens without a channel, and an account learns its uid", .shows("C14", "C23"))
  func open() {
    let (rig, ann, bob) = Self.pair()
    #expect(ann.log == ["80 opened new"])
    #expect(bob.log == ["80 opened new"] && bob.session.accountUID != nil)
    #expect(rig.core?.channelCount == 0 && rig.core?.sessionCount == 2)
    bob.join("lobby")
    rig.run(to: 2_000)
    #expect(bob["lobby"].membership.uid == bob.session.accountUID && bob.socketCount == 1)
  }

  @Test("messages come in their order, from the session's own user", .shows("C23"))
  func order() {
    let (rig, ann, bob) = Self.pair()
    for number in 1...20 { _ = ann.session.send("\(number)", to: bob.identity, nowNanoseconds: rig.now) }
    rig.run(to: 2_000)
    #expect(bob.received == (1...20).map { "1: \($0)" })
    #expect(ann.outcomes == [MessageOutcome](repeating: .delivered(sessionCount: 1), count: 20))
  }

  @Test("a user with two sessions gets a message in both", .shows("C23"))
  func twice() {
    let (rig, ann, _) = Self.pair()
    let other = rig.user(.account(UserAccount("bob")!))
    Self.hold(rig, other)
    rig.run(to: 2_000)
    _ = ann.session.send("hi", to: other.identity, nowNanoseconds: rig.now)
    rig.run(to: 3_000)
    #expect(rig.users.dropFirst().allSatisfy { $0.received == ["1: hi"] })
    #expect(ann.outcomes == [.delivered(sessionCount: 2)])
  }

  @Test("a user without a connected session is nobody at once", .shows("C23"))
  func nobody() {
    let (rig, ann, bob) = Self.pair()
    bob.session.release(nowNanoseconds: rig.now)
    rig.run(to: 2_000)
    _ = ann.session.send("hi", to: bob.identity, nowNanoseconds: rig.now)
    _ = ann.session.requestPresence(of: bob.identity, nowNanoseconds: rig.now)
    _ = ann.session.requestPresence(of: ann.identity, nowNanoseconds: rig.now)
    rig.run(to: 2_041)
    #expect(ann.outcomes == [.noSuchUser])
    #expect(ann.log.suffix(2) == ["2040 offline", "2040 online"])
    #expect(bob.log.last == "1000 closed" && bob.session.nextDeadlineNanoseconds == nil)
  }

  @Test("a message without an answer is unknown, and never sent again", .shows("C23"))
  func unknown() {
    let (rig, ann, bob) = Self.pair()
    _ = ann.session.send("lost answer", to: bob.identity, nowNanoseconds: rig.now)
    // The message arrives, and its answer does not.
    rig.run(to: 1_021)
    ann.cutSocket()
    rig.run(to: 5_000)
    #expect(ann.outcomes == [.unknown] && bob.received == ["1: lost answer"])
    #expect(ann.log.contains { $0.hasSuffix("opened resumed") || $0.hasSuffix("opened new") })
    #expect(ann.session.send("again", to: bob.identity, nowNanoseconds: rig.now) != nil)
    rig.run(to: 6_000)
    #expect(bob.received == ["1: lost answer", "1: again"])
  }

  @Test("without a connection no message is taken", .shows("C23"))
  func notOpen() {
    let (rig, ann, bob) = Self.pair()
    rig.stopRelay()
    rig.run(to: 2_000)
    #expect(ann.log.contains("1020 interrupted"))
    #expect(ann.session.send("hi", to: bob.identity, nowNanoseconds: rig.now) == nil)
    rig.startRelay()
    rig.run(to: 8_000)
    #expect(ann.session.isOpen && bob.session.isOpen)
  }

  @Test("restarts of the relay duplicate no message", .shows("C23"))
  func restarts() {
    let (rig, ann, bob) = Self.pair()
    var sent = 0
    var time = 1_000
    while sent < 1_000 {
      time += 25
      if time % 1_500 == 0 { rig.stopRelay() }
      if time % 1_500 == 500, rig.core == nil { rig.startRelay() }
      rig.run(to: time)
      if ann.session.send("\(sent)", to: bob.identity, nowNanoseconds: rig.now) != nil { sent += 1 }
    }
    if rig.core == nil { rig.startRelay() }
    rig.run(to: time + 10_000)
    #expect(ann.outcomes.count == 1_000 && Set(bob.received).count == bob.received.count)
    let delivered = ann.outcomes.count { $0 == .delivered(sessionCount: 1) }
    #expect(delivered > 500 && delivered <= bob.received.count, "\(delivered) \(bob.received.count)")
    // Each message that was refused or unknown came at most once, and the others came in order.
    let numbers = bob.received.compactMap { Int($0.dropFirst(3)) }
    #expect(numbers == numbers.sorted())
  }

  @Test("a token that ends is requested anew, and opens the session again", .shows("C12", "C23"))
  func expiry() {
    let rig = SessionRig()
    let ann = rig.user(.uid(1))
    Self.hold(rig, ann, seconds: 60)
    rig.run(to: 70_000)
    #expect(ann.log == ["80 opened new", "30020 expires in 30000", "60020 token requested"])
    #expect(ann.session.nextDeadlineNanoseconds == nil && !ann.session.isIdle)
    guard case .token(let token) = SessionRig.token(.uid(1), at: 70_000) else { return }
    ann.session.renew(token, nowNanoseconds: rig.now)
    rig.run(to: 71_000)
    #expect(ann.session.isOpen)
  }

  @Test("a session that is held outlives its channels and their tokens", .shows("C12", "C23"))
  func channels() {
    let (rig, ann, bob) = Self.pair()
    ann.join("lobby", SessionRig.token(.uid(1), channel: "lobby", seconds: 60))
    rig.run(to: 70_000)
    #expect(ann["lobby"].log.last?.hasSuffix("state 5/9") == true && ann.session.isOpen)
    _ = bob.session.send("hi", to: .uid(1), nowNanoseconds: rig.now)
    rig.run(to: 71_000)
    #expect(ann.received == ["bob: hi"] && ann.socketCount == 1)
  }

  @Test("a session of a channel is held with a token of its own", .shows("C12", "C23"))
  func heldLater() {
    let rig = SessionRig()
    let ann = rig.user(.uid(1))
    ann.join("lobby", SessionRig.token(.uid(1), channel: "lobby", seconds: 60))
    rig.run(to: 1_000)
    Self.hold(rig, ann)
    rig.run(to: 70_000)
    #expect(ann["lobby"].log.last?.hasSuffix("state 5/9") == true && ann.session.isOpen && ann.socketCount == 1)
    #expect(!ann.log.contains { $0.contains("requested") })
  }

  @Test("a question for presence without an answer ends after 5 s", .shows("C23"))
  func unanswered() {
    let (rig, ann, bob) = Self.pair()
    _ = ann.session.requestPresence(of: bob.identity, nowNanoseconds: rig.now)
    ann.socket?.isDead = true
    rig.run(to: 7_000)
    #expect(ann.log.last == "6000 refused -1" && ann.session.isOpen)
  }

  @Test("trouble with the packets of a channel keeps the session", .shows("C23"))
  func packetTrouble() {
    let (rig, ann, bob) = Self.pair()
    ann.join("lobby")
    ann["lobby"].media.isOpen = false
    rig.run(to: 60_000)
    #expect(ann.socketCount == 1 && ann.log == ["80 opened new"])
    _ = bob.session.send("hi", to: ann.identity, nowNanoseconds: rig.now)
    ann["lobby"].media.isOpen = true
    rig.run(to: 80_000)
    #expect(ann.received == ["bob: hi"] && ann["lobby"].membership.state == .connected)
  }

  @Test("the outcome of a message comes before the session's end", .shows("C23"))
  func releasedEarly() {
    let (rig, ann, bob) = Self.pair()
    _ = ann.session.send("hi", to: bob.identity, nowNanoseconds: rig.now)
    ann.session.release(nowNanoseconds: rig.now)
    rig.run(to: 2_000)
    #expect(ann.outcomes == [.unknown] && ann.log.last == "1000 closed")
  }

  @Test("a refused token closes the session with its reason", .shows("C23"))
  func refused() {
    let rig = SessionRig()
    let ann = rig.user(.uid(1))
    ann.session.hold(.token(SecretText("no token")), nowNanoseconds: 0)
    rig.run(to: 10_000)
    #expect(ann.log == ["80 closed -110"] && ann.session.isIdle && ann.socketCount == 1)
  }

  @Test("a session that is not reached in time closes with the reason", .shows("C23"))
  func limit() {
    let rig = SessionRig()
    rig.stopRelay()
    let ann = rig.user(.uid(1))
    ann.session.hold(SessionRig.token(.uid(1)), limitNanoseconds: 3_000_000_000, nowNanoseconds: 0)
    rig.run(to: 10_000)
    #expect(ann.log == ["3000 closed -1"] && ann.session.nextDeadlineNanoseconds == nil)
  }
}
