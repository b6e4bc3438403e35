import RelayClient
import Signalling
import TestSupport
import Testing

/// Users of a channel, their mutes, and the settings of the local one.
@Suite(.timeLimit(.minutes(10))) struct ChannelUserTests {
  private static let lobby = ChannelName("lobby")!
  private static let ann = ChannelUser(uid: 8, publishes: true, ssrc: 2_001)
  private static let bob = ChannelUser(uid: 9, publishes: true, ssrc: 2_002)

  @Test("users come, mute, change and go as the relay reports them", .shows("C6", "D7"))
  func events() throws {
    let rig = try ChannelRig.joined()
    rig.relay.send(.userJoined(UserJoinedEvent(channel: Self.lobby, user: Self.ann)))
    rig.relay.send(.userUpdated(UserUpdatedEvent(channel: Self.lobby, uid: 8, muted: true)))
    rig.relay.send(.userUpdated(UserUpdatedEvent(channel: Self.lobby, uid: 8, muted: true)))
    rig.relay.send(.userUpdated(UserUpdatedEvent(channel: Self.lobby, uid: 8, muted: false, ssrc: 2_007)))
    rig.relay.send(.userUpdated(UserUpdatedEvent(channel: Self.lobby, uid: 99, muted: true)))
    rig.relay.send(.userJoined(UserJoinedEvent(channel: ChannelName("hall")!, user: Self.bob)))
    rig.relay.send(.userLeft(UserLeftEvent(channel: Self.lobby, uid: 8, reason: .becameAudience)))
    rig.relay.send(.userLeft(UserLeftEvent(channel: Self.lobby, uid: 8, reason: .quit)))
    try rig.run(to: 2_000)
    #expect(
      rig.log == [
        "1020 user 8 after 1020", "1020 user 8 muted true", "1020 user 8 muted false", "1020 user 8 source 2007",
        "1020 user 8 left 2",
      ])
  }

  @Test("other speakers are reported, and a rejoin begins with all users", .shows("speakers"))
  func speakers() throws {
    let rig = try ChannelRig.joined([Self.ann, Self.bob])
    for users: [UInt32]? in [nil, [8], [8], [8, 9]] {
      rig.relay.send(.speakers(SpeakersEvent(channel: Self.lobby, users: users)))
    }
    rig.relay.send(.speakers(SpeakersEvent(channel: ChannelName("hall")!, users: [7])))
    try rig.run(to: 2_000)
    #expect(rig.log == ["1020 speakers [8]", "1020 speakers [8, 9]"])
    rig.forget()
    rig.cutSignalling()
    try rig.run(to: 3_000)
    #expect(rig.log.last { $0.contains("speakers") }?.hasSuffix("speakers all") == true)
  }

  @Test("a rejoin reports only the users that have changed", .shows("C1a", "C7"))
  func rejoin() throws {
    let rig = try ChannelRig.joined([Self.ann, Self.bob])
    rig.relay.users = [
      ChannelUser(uid: 8, muted: true, publishes: true, ssrc: 3_001),
      ChannelUser(uid: 10, publishes: true, ssrc: 3_002),
    ]
    rig.cutSignalling()
    // User 9 may come back, too, until the time of the profile is over.
    try rig.run(to: 30_000)
    #expect(
      rig.log == [
        "1160 rejoined 7 after 1160", "1160 source 1001", "1160 user 9 source none", "1160 user 8 muted true",
        "1160 user 8 source 3001", "1160 user 10 after 1160", "26080 user 9 left 1",
      ])
  }

  @Test("mutes are sent once, and a rejoin restores them", .shows("C4"))
  func mutes() throws {
    let rig = try ChannelRig.joined([Self.ann])
    var settings = rig.membership.settings
    settings.isMuted = true
    settings.mutedUsers = [8]
    rig.membership.update(settings, nowNanoseconds: rig.now)
    rig.membership.update(settings, nowNanoseconds: rig.now)
    try rig.run(to: 2_000)
    let expected = UserOptions(uid: 8, muted: true)
    #expect(rig.relay.updates.map(\.muted) == [true] && rig.relay.updates.map(\.users) == [[expected]])
    rig.cutSignalling()
    try rig.run(to: 3_000)
    #expect(
      rig.relay.updates.map(\.muted) == [true, true] && rig.relay.updates.map(\.users) == [[expected], [expected]])
  }

  @Test("lists of users are sent as differences, and a rejoin restores them", .shows("C4"))
  func lists() throws {
    let rig = try ChannelRig.joined([Self.ann])
    var settings = rig.membership.settings
    func update(_ change: (inout ChannelSettings) -> Void, to milliseconds: Int) throws -> [UserOptions] {
      change(&settings)
      rig.membership.update(settings, nowNanoseconds: rig.now)
      let before = rig.relay.updates.count
      try rig.run(to: milliseconds)
      return rig.relay.updates.dropFirst(before).flatMap(\.users)
    }
    #expect(
      try update({ ($0.allowedUsers, $0.blockedUsers) = ([8, 9], [9, 10]) }, to: 2_000) == [
        UserOptions(uid: 8, subscribes: true), UserOptions(uid: 9, subscribes: false),
        UserOptions(uid: 10, subscribes: false),
      ])
    #expect([8, 9, 10, 11].map { rig.membership.settings.hears($0) } == [true, false, false, true])
    // A mute of a listed user counts without the list only.
    #expect(try update({ $0.mutedUsers = [8] }, to: 3_000) == [])
    #expect(
      try update({ $0.blockedUsers = [10] }, to: 4_000) == [UserOptions(uid: 9, subscribes: true)])
    #expect(
      try update({ $0.allowedUsers = [9] }, to: 5_000) == [UserOptions(uid: 8, automatic: true, muted: true)])
    settings.isEveryoneMuted = true
    rig.membership.update(settings, nowNanoseconds: rig.now)
    try rig.run(to: 6_000)
    #expect([8, 9, 10, 11].map { rig.membership.settings.hears($0) } == [false, true, false, false])
    let before = rig.relay.updates.count
    rig.cutSignalling()
    try rig.run(to: 7_000)
    #expect(
      rig.relay.updates.dropFirst(before).flatMap(\.users) == [
        UserOptions(uid: 8, muted: true), UserOptions(uid: 9, subscribes: true),
        UserOptions(uid: 10, subscribes: false),
      ])
  }

  @Test("a mute of everyone cancels the subscription of a later join, too", .shows("C4"))
  func everyone() throws {
    let rig = try ChannelRig.joined([Self.ann])
    var settings = rig.membership.settings
    settings.isEveryoneMuted = true
    rig.membership.update(settings, nowNanoseconds: rig.now)
    try rig.run(to: 2_000)
    rig.cutSignalling()
    try rig.run(to: 3_000)
    #expect(rig.relay.updates.map(\.autoSubscribe) == [false])
    #expect(rig.relay.joins.map(\.autoSubscribe) == [true, false])
  }

  @Test("a change of the role is reported once the relay has granted it", .shows("D2"))
  func role() throws {
    let rig = try ChannelRig.joined()
    var settings = rig.membership.settings
    settings.role = .audience
    settings.publishes = false
    rig.relay.ssrc = nil
    rig.membership.update(settings, nowNanoseconds: rig.now)
    try rig.run(to: 2_000)
    #expect(rig.log == ["1040 granted", "1040 source none", "1040 role 1 to 2"])
  }

  @Test("a refused role stays as it was")
  func refusedRole() throws {
    let rig = try ChannelRig.joined()
    rig.relay.requestRefusal = FailureReport(code: .refused, sentence: "the token's role is audience")
    var settings = rig.membership.settings
    settings.role = .audience
    rig.membership.update(settings, nowNanoseconds: rig.now)
    try rig.run(to: 2_000)
    #expect(rig.log == ["1040 role change failed 2, 1", "1040 refused -5"])
    #expect(rig.membership.settings.role == .broadcaster)
  }

  @Test("a refused update takes all of its settings back")
  func refusedUpdate() throws {
    let rig = try ChannelRig.joined()
    rig.relay.requestRefusal = FailureReport(code: .refused, sentence: "the channel has no place for a publisher")
    let present = rig.membership.settings
    var refused = present
    (refused.publishes, refused.isMuted, refused.autoSubscribe) = (
      !present.publishes, !present.isMuted, !present.autoSubscribe
    )
    refused.mutedUsers = [7]
    rig.membership.update(refused, nowNanoseconds: rig.now)
    var later = refused
    later.isMuted.toggle()
    rig.membership.update(later, nowNanoseconds: rig.now)
    try rig.run(to: 2_000)
    #expect(rig.log == ["1040 refused -5", "1040 refused -5"])
    #expect(rig.membership.settings == present)
  }

  @Test("a setting that has changed since a refused request stays")
  func laterUpdate() throws {
    let rig = try ChannelRig.joined()
    rig.relay.publishRefusal = FailureReport(code: .refused, sentence: "no place for a publisher")
    let present = rig.membership.settings
    var refused = present
    refused.publishes.toggle()
    refused.mutedUsers = [7]
    rig.membership.update(refused, nowNanoseconds: rig.now)
    var later = refused
    later.mutedUsers = [6, 7]
    rig.membership.update(later, nowNanoseconds: rig.now)
    try rig.run(to: 2_000)
    #expect(rig.log == ["1040 refused -5", "1040 granted"])
    #expect(rig.membership.settings.publishes == present.publishes && rig.membership.settings.mutedUsers == [6])
  }

  @Test("an update that the relay was lost over follows the rejoin")
  func lostUpdate() throws {
    let rig = try ChannelRig.joined()
    rig.relay.answers = false
    var settings = rig.membership.settings
    settings.role = .audience
    settings.publishes = false
    rig.membership.update(settings, nowNanoseconds: rig.now)
    try rig.run(to: 2_000)
    (rig.relay.answers, rig.relay.requestRefusal) = (
      true, FailureReport(code: .refused, sentence: "the token's role is audience")
    )
    rig.cutSignalling()
    try rig.run(to: 3_000)
    // The rejoin has the settings that the relay knows, so that a refusal of the others cannot end it.
    #expect(rig.relay.joins.map(\.role) == [.broadcaster, .broadcaster])
    #expect(rig.relay.updates.count == 2 && Set(rig.relay.updates.map(\.id)).count == 1)
    #expect(
      rig.log == [
        "2120 role change failed 2, 1", "2120 refused -5", "2160 rejoined 7 after 2160", "2160 source 1001",
      ])
    #expect(rig.membership.settings.role == .broadcaster && rig.membership.state == .connected)
  }

  @Test("an update during a rejoin is answered behind it")
  func updateInRejoin() throws {
    let rig = try ChannelRig.joined()
    rig.cutSignalling()
    var settings = rig.membership.settings
    settings.isMuted = true
    #expect(rig.membership.update(settings, nowNanoseconds: rig.now) != nil)
    try rig.run(to: 3_000)
    #expect(rig.log == ["1120 granted", "1160 rejoined 7 after 1160", "1160 source 1001"])
    #expect(rig.relay.updates.map(\.muted) == [true])
  }

  @Test("a diagnosis without an answer ends after 5 s")
  func unansweredDiagnosis() throws {
    let rig = try ChannelRig.joined()
    rig.relay.answers = false
    _ = rig.membership.diagnose(8, nowNanoseconds: rig.now)
    try rig.run(to: 7_000)
    #expect(rig.log == ["6000 refused -1"])
  }

  @Test("a diagnosis returns the relay's findings", .shows("F19"))
  func diagnosis() throws {
    let rig = try ChannelRig.joined([Self.ann])
    #expect(rig.membership.diagnose(8, nowNanoseconds: rig.now) != nil)
    try rig.run(to: 2_000)
    #expect(rig.log == [#"1040 findings ["8 senderMuted"]"#])
  }

  @Test("a request without an answer is refused when the relay is lost")
  func lostRequest() throws {
    let rig = try ChannelRig.joined()
    rig.relay.answers = false
    _ = rig.membership.diagnose(8, nowNanoseconds: rig.now)
    try rig.run(to: 2_000)
    rig.cutSignalling()
    try rig.run(to: 2_001)
    #expect(rig.log == ["2000 refused -3"])
  }

  /// Each text is a valid message with one changed byte, or random bytes.
  @Test(
    "messages with random faults change nothing and trap nothing", .shows("attack"),
    arguments: 1...5 as ClosedRange<UInt64>)
  func hostile(_ seed: UInt64) throws {
    let rig = try ChannelRig.joined([Self.ann])
    var random = SeededGenerator(seed: seed)
    let valid = RelayMessage.userUpdated(UserUpdatedEvent(channel: Self.lobby, uid: 8, muted: true)).text
    for _ in 0..<500 {
      var bytes = Array(valid.utf8)
      if Bool.random(using: &random) {
        bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in .random(in: 0 ... .max, using: &random) }
      } else {
        // Braces stay, so that no prefix of the message is valid.
        bytes[0] = .random(in: 0..<0x7B, using: &random)
      }
      rig.session.receive(String(decoding: bytes, as: UTF8.self), nowNanoseconds: rig.now)
    }
    try rig.run(to: 2_000)
    #expect(rig.log.isEmpty && rig.session.unreadableMessageCount == 500, "seed \(seed)")
  }
}
