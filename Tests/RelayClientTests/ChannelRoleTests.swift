import RelayClient
import Signalling
import TestSupport
import Testing

/// Changes of the role at the client of a relay that does not answer.
@Suite(.timeLimit(.minutes(5))) struct ChannelRoleTests {
  private static func request(_ rig: ChannelRig, _ role: ClientRole) {
    var settings = rig.membership.settings
    settings.role = role
    settings.publishes = role == .broadcaster
    rig.membership.update(settings, nowNanoseconds: rig.now)
  }

  @Test("a role without an answer for 10 s fails with reason 3, and returns", .shows("C11"))
  func timeout() throws {
    let rig = try ChannelRig.joined()
    rig.relay.answersUpdates = false
    Self.request(rig, .audience)
    try rig.run(to: 10_900)
    #expect(!rig.log.contains { $0.contains("role") })
    rig.relay.answersUpdates = true
    let before = rig.relay.updates.count
    try rig.run(to: 11_200)
    #expect(
      rig.log.filter { $0.contains("role") || $0.contains("refused") }
        == ["11000 role change failed 3, 1", "11000 refused -1"])
    #expect(rig.membership.settings.role == .broadcaster)
    // The relay may have taken the request, and only its answer is late.
    #expect(rig.relay.updates.dropFirst(before).map(\.role) == [.broadcaster])
  }

  @Test("a role without an answer at the end of the channel fails with reason 4", .shows("C11"))
  func ended() throws {
    let rig = try ChannelRig.joined()
    rig.relay.answers = false
    Self.request(rig, .audience)
    try rig.run(to: 1_100)
    rig.relay.send(
      .failed(
        FailureReport(channel: rig.membership.channel, code: .refused, reason: .bannedByServer, sentence: "banned")))
    try rig.run(to: 1_200)
    #expect(
      rig.log == ["1120 role change failed 4, 1", "1120 refused -3", "1120 error -5", "1120 state 5/3"])
  }
}
