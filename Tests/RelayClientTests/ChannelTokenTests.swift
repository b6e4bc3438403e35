import RelayClient
import Signalling
import TestSupport
import Testing

/// Expiry and renewal of tokens.
@Suite(.timeLimit(.minutes(10))) struct ChannelTokenTests {
  private static let expired = FailureReport(code: .tokenExpired, reason: .tokenExpired, sentence: "expired")

  @Test("an expired token cuts the media, and a new one restores the same user", .shows("C8", "C12"))
  func expiry() throws {
    let rig = ChannelRig(user: .uid(0))
    rig.membership.start(nowNanoseconds: 0)
    try rig.run(to: 1_000)
    rig.forget()
    rig.relay.send(.tokenWillExpire(TokenExpiryEvent(milliseconds: 30_000)))
    try rig.run(to: 31_000)
    rig.relay.send(.failed(Self.expired))
    try rig.run(to: 40_000)
    #expect(!rig.membership.canSend && rig.session.nextDeadlineNanoseconds == nil)
    rig.membership.renew(SecretText("d.e.f"), nowNanoseconds: rig.now)
    try rig.run(to: 60_000)
    #expect(
      rig.log == [
        "1020 expires in 30000", "31020 error -109", "31020 token requested", "31020 state 5/9", "40000 state 2/12",
        "40160 state 3/15", "40160 rejoined 77 after 40160", "40160 source 1001", "40160 granted",
      ])
    #expect(rig.relay.hellos.map(\.credential) == [.token(SecretText("a.b.c")), .token(SecretText("d.e.f"))])
    #expect(rig.relay.hellos.map(\.resume) == [nil, SecretText("r1")])
    #expect(rig.relay.joins.map(\.user) == [.uid(0), .uid(77)])
  }

  @Test("a token that has expired before the join is requested anew", .shows("C12"))
  func expiredBefore() throws {
    let rig = ChannelRig()
    rig.relay.helloRefusal = Self.expired
    rig.membership.start(nowNanoseconds: 0)
    try rig.run(to: 60_000)
    #expect(rig.log == ["0 state 2/0", "80 error -109", "80 token requested", "80 state 5/9"])
  }

  @Test("a renewal in time changes nothing else, and a rejoin has the new token", .shows("C12"))
  func renewal() throws {
    let rig = try ChannelRig.joined()
    rig.membership.renew(SecretText("d.e.f"), nowNanoseconds: rig.now)
    try rig.run(to: 2_000)
    #expect(rig.log == ["1040 granted", "1040 renewed for 3600000"])
    rig.cutSignalling()
    try rig.run(to: 3_000)
    #expect(rig.relay.hellos.last?.credential == .token(SecretText("d.e.f")))
  }

  @Test("a refused renewal keeps the channel, and the token before", .shows("C12"))
  func refusedRenewal() throws {
    let rig = try ChannelRig.joined()
    rig.relay.requestRefusal = FailureReport(code: .invalidToken, sentence: "the token is for another channel")
    rig.membership.renew(SecretText("d.e.f"), nowNanoseconds: rig.now)
    try rig.run(to: 2_000)
    #expect(rig.log == ["1040 refused -110"] && rig.membership.state == .connected)
    rig.cutSignalling()
    try rig.run(to: 3_000)
    #expect(rig.relay.hellos.last?.credential == .token(SecretText("a.b.c")))
  }

  @Test("a renewal that the relay was lost over is done with the rejoin", .shows("C12"))
  func lostRenewal() throws {
    let rig = try ChannelRig.joined()
    rig.relay.answers = false
    rig.membership.renew(SecretText("d.e.f"), nowNanoseconds: rig.now)
    try rig.run(to: 2_000)
    rig.relay.answers = true
    rig.cutSignalling()
    try rig.run(to: 3_000)
    #expect(rig.log == ["2160 rejoined 7 after 2160", "2160 source 1001", "2160 granted"])
    #expect(rig.relay.hellos.last?.credential == .token(SecretText("d.e.f")))
  }

  @Test("a rejoin returns to the old token if the relay refuses the new one", .shows("C12"))
  func lostRefusedRenewal() throws {
    let rig = try ChannelRig.joined()
    rig.relay.answers = false
    rig.membership.renew(SecretText("d.e.f"), nowNanoseconds: rig.now)
    try rig.run(to: 2_000)
    rig.relay.answers = true
    rig.relay.helloRefusal = FailureReport(code: .invalidToken, reason: .invalidToken, sentence: "no token")
    rig.cutSignalling()
    try rig.run(to: 2_081)
    rig.relay.helloRefusal = nil
    try rig.run(to: 4_000)
    #expect(rig.log.first == "2080 refused -110" && rig.membership.state == .connected)
    #expect(rig.relay.hellos.suffix(2).map(\.credential) == [.token(SecretText("d.e.f")), .token(SecretText("a.b.c"))])
  }

  @Test("no description shows a token")
  func secrets() {
    let options = ChannelMembershipOptions(
      credential: .token(SecretText("a.b.c")), channel: ChannelName("lobby")!,
      user: .uid(7))
    #expect(!"\(options)".contains("a.b.c") && !String(reflecting: options).contains("a.b.c"))
  }
}
