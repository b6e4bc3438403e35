import Relay
import RelayClient
import Signalling
import TestSupport
import Testing

/// Drop times of the relay, and users that it drops for silence.
@Suite(.timeLimit(.minutes(10))) struct ChannelDropTests {
  /// Users 7 and 8 in a room of a relay with this drop time.
  private static func pair(dropMilliseconds: Int) -> (rig: SessionRig, ann: SessionUser, bob: SessionUser) {
    let rig = SessionRig { $0.dropTimes.live = dropMilliseconds * 1_000_000 }
    let (ann, bob) = (rig.user(.uid(7)), rig.user(.uid(8)))
    for user in [ann, bob] { user.join("room") }
    rig.run(to: 1_000)
    for user in [ann, bob] { user["room"].forget() }
    return (rig, ann, bob)
  }

  private static func states(_ user: SessionUser) -> [String] {
    user["room"].log.filter { $0.contains(" state ") }.map { String($0.drop { $0 != " " }.dropFirst()) }
  }

  private static func seconds(of text: String, _ user: SessionUser) -> Double {
    let line = user["room"].log.first { $0.hasSuffix(text) } ?? ""
    return (Double(line.prefix { $0 != " " }) ?? -1) / 1_000
  }

  /// A rejoin at 1.16 s has lost user 9.
  @Test(
    "an absent user is offline after the relay's own drop time", .shows("C7"),
    arguments: [(nil, 26_080), (3_000, 4_080), (40_000, 41_080), (0, 1_120)] as [(Int64?, Int)])
  func absence(milliseconds: Int64?, time: Int) throws {
    let rig = try ChannelRig.joined([ChannelUser(uid: 9)])
    (rig.relay.users, rig.relay.dropMilliseconds) = ([], milliseconds)
    rig.cutSignalling()
    try rig.run(to: 60_000)
    #expect(abs((rig.time(of: "user 9 left 1") ?? 0) - time) < 100, "\(rig.log)")
  }

  @Test("a drop time beyond a day counts as a day")
  func longest() throws {
    let rig = try ChannelRig.joined([ChannelUser(uid: 9)])
    (rig.relay.users, rig.relay.dropMilliseconds) = ([], MessageLimits.milliseconds.upperBound)
    rig.cutSignalling()
    try rig.run(to: 60_000)
    #expect(rig.time(of: "user 9 left 1") == nil && rig.membership.state == .connected)
  }

  @Test("muted and silent clients stay at a drop time of 1 s", .shows("C7"))
  func keepAlives() {
    let (rig, ann, bob) = Self.pair(dropMilliseconds: 1_000)
    var settings = ann["room"].membership.settings
    settings.isMuted = true
    ann["room"].membership.update(settings, nowNanoseconds: rig.now)
    rig.run(to: 300_000)
    #expect(ann["room"].log == ["1040 granted"] && bob["room"].log == ["1040 user 7 muted true"])
  }

  /// Voices of the other user pass all the time, so that the relay alone notices.
  @Test("a user without an uplink is dropped, and reports 14 at once", .shows("C7", "C8"))
  func uplink() {
    let (rig, ann, bob) = Self.pair(dropMilliseconds: 2_000)
    ann["room"].media.isUplinkOpen = false
    for tick in 1...90 {
      if tick == 25 { ann["room"].media.isUplinkOpen = true }
      bob["room"].send([1], rig.now)
      bob.hasNews = true
      rig.run(to: 1_000 + tick * 100)
    }
    #expect(Self.states(ann) == ["state 4/14", "state 3/15"], "\(ann["room"].log)")
    #expect((2.5...3.1).contains(Self.seconds(of: "state 4/14", ann)), "\(ann["room"].log)")
    #expect(bob["room"].log.first?.hasSuffix("user 7 left 1") == true, "\(bob["room"].log)")
    #expect(bob["room"].membership.users[7] != nil)
  }

  /// Messages count as signs of a user: each rejoin is one.
  @Test("a user that reconnects already reports 14 once", .shows("C8"))
  func reconnecting() {
    let (rig, ann, _) = Self.pair(dropMilliseconds: 4_500)
    ann["room"].media.isOpen = false
    rig.run(to: 40_000)
    #expect(Self.states(ann) == ["state 4/2", "state 4/14"], "\(ann["room"].log)")
    ann["room"].media.isOpen = true
    rig.run(to: 60_000)
    #expect(Self.states(ann) == ["state 4/2", "state 4/14", "state 3/15"], "\(ann["room"].log)")
    #expect(ann["room"].membership.state == .connected)
  }

  @Test(
    "a user back after its drop time learns of it by 14", .shows("C7", "C8"),
    arguments: [(20, ["state 4/2", "state 3/15"]), (30, ["state 4/2", "state 4/14", "state 3/15"])])
  func returns(seconds: Int, states: [String]) {
    let (rig, ann, bob) = Self.pair(dropMilliseconds: 25_000)
    ann.isCut = true
    rig.run(to: 1_000 + seconds * 1_000)
    ann.isCut = false
    rig.run(to: 60_000)
    #expect(Self.states(ann) == states, "\(ann["room"].log)")
    #expect(bob["room"].log.contains { $0.hasSuffix("user 7 left 1") } == (seconds == 30), "\(bob["room"].log)")
    #expect(bob["room"].membership.users[7] != nil)
  }

  @Test("each loss has a 14 of its own", .shows("C8"))
  func again() {
    let (rig, ann, _) = Self.pair(dropMilliseconds: 2_000)
    for loss in 0..<2 {
      ann["room"].media.isOpen = false
      rig.run(to: 4_000 + loss * 10_000)
      ann["room"].media.isOpen = true
      rig.run(to: 10_000 + loss * 10_000)
    }
    #expect(Self.states(ann) == ["state 4/14", "state 3/15", "state 4/14", "state 3/15"], "\(ann["room"].log)")
  }

  @Test("a dropped user that leaves reports no 14", .shows("C8"))
  func leaves() throws {
    let rig = try ChannelRig.joined()
    rig.relay.answers = false
    rig.membership.leave(nowNanoseconds: rig.now)
    rig.relay.send(.failed(FailureReport(code: .general, reason: .keepAliveTimeout, sentence: "timed out")))
    try rig.run(to: 5_000)
    #expect(!rig.log.contains { $0.contains("state 4") } && rig.membership.state == .disconnected, "\(rig.log)")
  }

  @Test("a join without a media connection stays connecting", .shows("C8"))
  func unconnected() {
    let rig = SessionRig { $0.dropTimes.live = 3_000_000_000 }
    let ann = rig.user(.uid(7))
    ann.join("room").media.isOpen = false
    rig.run(to: 9_000)
    #expect(Self.states(ann) == ["state 2/0"], "\(ann["room"].log)")
    ann["room"].media.isOpen = true
    rig.run(to: 30_000)
    #expect(Self.states(ann) == ["state 2/0", "state 3/1"], "\(ann["room"].log)")
  }
}
