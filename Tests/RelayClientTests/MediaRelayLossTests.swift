import RelayClient
import Signalling
import TestSupport
import Testing

/// Relay of a user's audio to other channels, over losses and the end of the user's own channel.
@Suite(.timeLimit(.minutes(10))) struct MediaRelayLossTests {
  private static func relay(_ rig: ChannelRig, _ channels: [String]) throws {
    _ = try rig.membership.relayMedia(
      to: ChannelMediaRelayConfiguration(
        destinations: channels.enumerated().map { ChannelMediaInfo(channel: $1, uid: UInt32($0) + 9) }),
      nowNanoseconds: rig.now)
  }

  /// A rig whose user is heard in other channels; the time is 2 s.
  private static func running(_ channels: [String] = ["hall"]) throws -> ChannelRig {
    let rig = try ChannelRig.joined()
    try relay(rig, channels)
    try rig.run(to: 2_000)
    rig.forget()
    return rig
  }

  /// Events of a rig with the relay to other channels, without their times.
  private static func events(_ rig: ChannelRig) -> [String] {
    rig.log.map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" }
      .filter { $0.contains("relay") || $0.contains("granted") || $0.contains("refused") || $0.contains("state") }
  }

  private static func channels(_ rig: ChannelRig) -> [[String]] {
    rig.relay.mediaRelays.map { $0.destinations.map(\.channel.text) }
  }

  @Test("a loss is event 0, and the rejoin's list event 1", .shows("C18"))
  func loss() throws {
    let rig = try Self.running()
    rig.isOpen = false
    try rig.run(to: 8_000)
    rig.isOpen = true
    try rig.run(to: 20_000)
    #expect(Self.events(rig) == ["state 4/2", "relay event 0", "state 3/15", "relay event 1"])
    #expect(Self.channels(rig) == [["hall"], ["hall"]])
  }

  @Test("a rejoin without a loss requests the list again, without an event", .shows("C18"))
  func rejoin() throws {
    let rig = try Self.running()
    rig.cutSignalling()
    try rig.run(to: 20_000)
    #expect(Self.events(rig) == [])
    #expect(Self.channels(rig) == [["hall"], ["hall"]])
  }

  @Test("a list during a loss is requested behind the rejoin", .shows("C18"), arguments: [false, true])
  func duringLoss(_ isUpdate: Bool) throws {
    let rig = try isUpdate ? Self.running() : ChannelRig.joined()
    rig.isOpen = false
    try rig.run(to: 8_000)
    try Self.relay(rig, ["hall", "yard"])
    try rig.run(to: 20_000)
    rig.isOpen = true
    try rig.run(to: 30_000)
    let expected =
      isUpdate
      ? [
        "state 4/2", "relay event 0", "state 3/15", "relay event 1", "granted", "relay event 7",
        "relayed to yard as 10",
      ]
      : [
        "state 4/2", "relays 1/0", "state 3/15", "granted", "relay event 2", "relay event 3", "relayed to hall as 9",
        "relayed to yard as 10", "relay event 4", "relays 2/0",
      ]
    #expect(Self.events(rig) == expected)
    #expect(Self.channels(rig) == (isUpdate ? [["hall"], ["hall"], ["hall", "yard"]] : [["hall", "yard"]]))
  }

  @Test("a stop during a loss of a list that was never sent is idle at once", .shows("C18"))
  func stopDuringLoss() throws {
    let rig = try ChannelRig.joined()
    rig.isOpen = false
    try rig.run(to: 8_000)
    try Self.relay(rig, ["hall"])
    _ = try rig.membership.stopMediaRelay(nowNanoseconds: rig.now)
    rig.isOpen = true
    try rig.run(to: 20_000)
    #expect(Self.events(rig) == ["state 4/2", "relays 1/0", "refused -5", "relays 0/0", "state 3/15"])
    #expect(Self.channels(rig) == [])
  }

  @Test("a stop during a loss ends the relay behind the rejoin", .shows("C18"))
  func stopBehindLoss() throws {
    let rig = try Self.running()
    rig.isOpen = false
    try rig.run(to: 8_000)
    _ = try rig.membership.stopMediaRelay(nowNanoseconds: rig.now)
    rig.isOpen = true
    try rig.run(to: 20_000)
    #expect(Self.events(rig) == ["state 4/2", "relay event 0", "state 3/15", "granted", "relays 0/0"])
    #expect(Self.channels(rig) == [["hall"], []])
  }

  @Test("a rejoin without one channel keeps the others", .shows("C18"))
  func refusedChannel() throws {
    let rig = try Self.running(["hall", "yard"])
    rig.relay.mediaRelayRefusal = FailureReport(
      channel: rig.membership.channel, code: .tokenExpired, sentence: "old", destination: ChannelName("hall"))
    rig.cutSignalling()
    try rig.run(to: 2_180)
    rig.relay.mediaRelayRefusal = nil
    try rig.run(to: 20_000)
    #expect(Self.events(rig) == ["not relayed to hall: -109 old", "relays 2/11"])
    #expect(Self.channels(rig) == [["hall", "yard"], ["hall", "yard"], ["yard"]])
  }

  @Test("a refused list of a rejoin is a failure", .shows("C18"))
  func refusedRejoin() throws {
    let rig = try Self.running()
    rig.relay.mediaRelayRefusal = FailureReport(channel: rig.membership.channel, code: .wrongState, sentence: "no")
    rig.cutSignalling()
    try rig.run(to: 20_000)
    #expect(Self.events(rig) == ["relays 3/4"])
    // The relay may still have the list of the session.
    #expect(Self.channels(rig) == [["hall"], ["hall"], []])
  }

  @Test("a stop ends a list that the relay has not answered yet", .shows("C18"))
  func stopOfUnanswered() throws {
    let rig = try ChannelRig.joined()
    rig.relay.answersMediaRelay = false
    try Self.relay(rig, ["hall"])
    try rig.run(to: 1_000)
    try Self.relay(rig, ["yard"])
    try rig.run(to: 1_100)
    let first = try #require(rig.relay.mediaRelays.first)
    rig.relay.send(.failed(FailureReport(id: first.id, channel: first.channel, code: .refused, sentence: "no")))
    try rig.run(to: 1_200)
    _ = try rig.membership.stopMediaRelay(nowNanoseconds: rig.now)
    try rig.run(to: 1_300)
    for request in rig.relay.mediaRelays.dropFirst() {
      rig.relay.send(
        .mediaRelayed(
          MediaRelayAnswer(
            id: request.id, channel: request.channel,
            destinations: request.destinations.map { .init(channel: $0.channel, uid: 9) })))
    }
    try rig.run(to: 3_000)
    #expect(Self.channels(rig) == [["hall"], ["yard"], []])
    #expect(Self.events(rig).last == "relays 0/0", "\(Self.events(rig))")
  }

  @Test("the end of a channel names the token that has ended", .shows("C18"), arguments: [false, true])
  func endedToken(_ isOfSource: Bool) throws {
    let rig = try Self.running()
    rig.relay.send(
      .mediaRelayEnded(
        MediaRelayEndedEvent(
          channel: rig.membership.channel, destination: ChannelName("hall")!, code: .tokenExpired, sentence: "old",
          isOfSource: isOfSource)))
    try rig.run(to: 3_000)
    #expect(Self.events(rig).last == "relays 3/\(isOfSource ? 10 : 11)")
  }

  @Test("a list of a lost session without an answer fails, and is taken back", .shows("C18"))
  func unansweredRejoin() throws {
    let rig = try Self.running()
    rig.relay.answersMediaRelay = false
    rig.cutSignalling()
    try rig.run(to: 10_000)
    #expect(Self.events(rig) == ["relays 3/2"])
    #expect(Self.channels(rig) == [["hall"], ["hall"], []])
  }

  @Test("a leave is idle before it is left", .shows("C18"))
  func leave() throws {
    let rig = try Self.running()
    rig.membership.leave(nowNanoseconds: rig.now)
    try rig.run(to: 3_000)
    #expect(rig.log == ["2040 relays 0/0", "2040 state 1/5", "2040 left"])
  }

  @Test("the end of the user's channel is a failure before the channel's", .shows("C18"))
  func ended() throws {
    let rig = try Self.running()
    rig.relay.send(
      .failed(
        FailureReport(channel: rig.membership.channel, code: .refused, reason: .bannedByServer, sentence: "banned")))
    try rig.run(to: 3_000)
    #expect(rig.log == ["2020 relays 3/8", "2020 error -5", "2020 state 5/3"])
  }

  @Test("an expired token of the user's channel is error 10", .shows("C18"))
  func expired() throws {
    let rig = try Self.running()
    rig.relay.send(
      .failed(
        FailureReport(channel: rig.membership.channel, code: .tokenExpired, reason: .tokenExpired, sentence: "old")))
    try rig.run(to: 3_000)
    #expect(rig.log == ["2020 relays 3/10", "2020 error -109", "2020 token requested", "2020 state 5/9"])
  }
}
