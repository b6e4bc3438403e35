import RelayClient
import Signalling
import TestSupport
import Testing

/// Relay of a user's audio to other channels, by the client.
@Suite(.timeLimit(.minutes(10))) struct MediaRelayTests {
  private static let hall = ChannelMediaInfo(channel: "hall", token: "h", uid: 9)
  private static let yard = ChannelMediaInfo(channel: "yard")
  private static let start = [
    "1000 relays 1/0", "1040 granted", "1040 relay event 2", "1040 relay event 3", "1040 relayed to hall as 9",
    "1040 relay event 4", "1040 relays 2/0",
  ]

  @discardableResult
  private static func relay(
    _ rig: ChannelRig, _ destinations: [ChannelMediaInfo], source: String? = nil
  ) throws -> UInt32? {
    try rig.membership.relayMedia(
      to: ChannelMediaRelayConfiguration(sourceToken: source, destinations: destinations), nowNanoseconds: rig.now)
  }

  /// A rig whose user is heard in other channels from 1.04 s on; the time is 2 s.
  private static func running(_ destinations: [ChannelMediaInfo] = [hall]) throws -> ChannelRig {
    let rig = try ChannelRig.joined()
    try relay(rig, destinations)
    try rig.run(to: 2_000)
    rig.forget()
    return rig
  }

  private static func refusal(
    _ code: ChannelErrorCode, limit: NamedLimit? = nil, destination: String? = nil
  ) -> FailureReport {
    FailureReport(
      channel: ChannelName("lobby"), code: code, sentence: "no", limit: limit,
      destination: destination.flatMap { ChannelName($0) })
  }

  @Test("a start reports connecting, its steps, the uids and running", .shows("C18"))
  func starts() throws {
    let rig = try ChannelRig.joined()
    let id = try Self.relay(rig, [Self.hall, Self.yard], source: "s")
    try rig.run(to: 2_000)
    var expected = Self.start
    expected.insert("1040 relayed to yard as 77", at: 5)
    #expect(rig.log == expected)
    #expect(
      rig.relay.mediaRelays == [
        MediaRelayRequest(
          id: try #require(id), channel: rig.membership.channel, token: SecretText("s"),
          destinations: [
            RelayDestination(channel: ChannelName("hall")!, user: .uid(9), token: SecretText("h")),
            RelayDestination(channel: ChannelName("yard")!),
          ])
      ])
    #expect(rig.events.contains(.granted(request: try #require(id))))
  }

  @Test(
    "a refused start is a failure with the number of its cause", .shows("C18"),
    arguments: [
      (refusal(.tokenExpired), 10), (refusal(.tokenExpired, destination: "hall"), 11),
      (refusal(.user, destination: "hall"), 5), (refusal(.wrongState), 4), (refusal(.refused), 4),
      (refusal(.invalidToken), 1), (refusal(.refused, limit: NamedLimit(name: "users", value: 1)), 3),
      (refusal(.refused, limit: NamedLimit(name: "users", value: 1), destination: "hall"), 3),
    ])
  func refusals(_ refusal: FailureReport, _ error: Int) throws {
    let rig = try ChannelRig.joined()
    rig.relay.mediaRelayRefusal = refusal
    try Self.relay(rig, [Self.hall])
    try rig.run(to: 2_000)
    #expect(
      rig.log == ["1000 relays 1/0", "1040 refused \(refusal.code.rawValue)", "1040 relays 3/\(error)"])
    // Another start begins anew.
    rig.relay.mediaRelayRefusal = nil
    rig.forget()
    try Self.relay(rig, [Self.hall])
    try rig.run(to: 3_000)
    #expect(rig.log == Self.start.map { "2" + $0.dropFirst() })
  }

  @Test("a start without an answer fails after 5 s, and is taken back", .shows("C18"))
  func silence() throws {
    let rig = try ChannelRig.joined()
    rig.relay.answersMediaRelay = false
    try Self.relay(rig, [Self.hall])
    try rig.run(to: 7_000)
    #expect(rig.log == ["1000 relays 1/0", "6000 refused -1", "6000 relays 3/2"])
    #expect(rig.relay.mediaRelays.map(\.destinations.count) == [1, 0])
  }

  @Test("a list that cannot be is refused before a request", .shows("C18"))
  func lists() throws {
    let rig = try ChannelRig.joined()
    let seven = (1...7).map { ChannelMediaInfo(channel: "c\($0)") }
    let faults: [([ChannelMediaInfo], String)] = [
      ([], "names 1 to 6"), (seven, "names 7"), ([Self.hall, Self.hall], "'hall' is named twice"),
      ([ChannelMediaInfo(channel: "lobby")], "the user's own"), ([ChannelMediaInfo(channel: "a/b")], "has"),
    ]
    for (destinations, words) in faults {
      let error = #expect(throws: ChannelError.self) { try Self.relay(rig, destinations) }
      #expect(error?.code == .invalidArgument && error?.message.contains(words) == true, "\(destinations)")
    }
    try Self.relay(rig, Array(seven.prefix(6)))
    try rig.run(to: 1_100)
    #expect(rig.relay.mediaRelays.map(\.destinations.count) == [6])
  }

  @Test("a user without a channel or the right to publish relays nothing", .shows("C18"))
  func rights() throws {
    let idle = ChannelRig()
    #expect(throws: ChannelError.self) { try Self.relay(idle, [Self.hall]) }
    #expect(throws: ChannelError.self) { try idle.membership.stopMediaRelay(nowNanoseconds: 0) }
    let audience = ChannelRig(settings: ChannelSettings(role: .audience))
    let silent = ChannelRig()
    silent.relay.ssrc = nil
    for (rig, words) in [(audience, "audience"), (silent, "right to publish")] {
      rig.membership.start(nowNanoseconds: 0)
      try rig.run(to: 1_000)
      let error = #expect(throws: ChannelError.self) { try Self.relay(rig, [Self.hall]) }
      #expect(error?.code == .refused && error?.cause == .right && error?.message.contains(words) == true)
      #expect(rig.relay.mediaRelays.isEmpty)
    }
  }

  @Test("another list is an update, and the same one only an event", .shows("C18"))
  func updates() throws {
    let rig = try Self.running()
    #expect(try Self.relay(rig, [Self.hall]) == nil)
    try Self.relay(rig, [Self.hall, Self.yard])
    try rig.run(to: 2_100)
    #expect(
      rig.log == ["2000 relay event 9", "2040 granted", "2040 relay event 7", "2040 relayed to yard as 77"])
    rig.forget()
    try Self.relay(rig, [Self.yard])
    try rig.run(to: 3_000)
    #expect(rig.log == ["2140 granted", "2140 relay event 7"])
    #expect(
      rig.relay.mediaRelays.map { $0.destinations.map(\.channel.text) } == [["hall"], ["hall", "yard"], ["yard"]])
  }

  @Test("a refused update keeps the former list and the state", .shows("C18"))
  func refusedUpdate() throws {
    let rig = try Self.running()
    rig.relay.mediaRelayRefusal = Self.refusal(.user, destination: "yard")
    try Self.relay(rig, [Self.hall, Self.yard])
    try rig.run(to: 2_100)
    #expect(rig.log == ["2040 refused -121", "2040 relay event 8"])
    #expect(try Self.relay(rig, [Self.hall]) == nil, "the former list is the present one")
  }

  @Test("an update without an answer keeps the former list, at the relay too", .shows("C18"))
  func unansweredUpdate() throws {
    let rig = try Self.running()
    rig.relay.answersMediaRelay = false
    try Self.relay(rig, [Self.hall, Self.yard])
    try rig.run(to: 8_000)
    #expect(rig.log == ["7000 refused -1", "7000 relay event 8"])
    #expect(
      rig.relay.mediaRelays.map { $0.destinations.map(\.channel.text) } == [["hall"], ["hall", "yard"], ["hall"]])
  }

  @Test("a pause and its end have events, and a pause outlives an update", .shows("C18"))
  func pauses() throws {
    let rig = try Self.running()
    _ = try rig.membership.pauseMediaRelay(true, nowNanoseconds: rig.now)
    try rig.run(to: 2_100)
    try Self.relay(rig, [Self.hall, Self.yard])
    try rig.run(to: 2_200)
    _ = try rig.membership.pauseMediaRelay(false, nowNanoseconds: rig.now)
    try rig.run(to: 2_300)
    #expect(
      rig.log == [
        "2040 granted", "2040 relay event 12", "2140 granted", "2140 relay event 7", "2140 relayed to yard as 77",
        "2240 granted", "2240 relay event 14",
      ])
    #expect(rig.relay.mediaRelays.map(\.paused) == [false, true, true, false])
  }

  @Test("a refused pause and a refused end have events", .shows("C18"))
  func refusedPauses() throws {
    let rig = try Self.running()
    rig.relay.mediaRelayRefusal = Self.refusal(.tooOften)
    _ = try rig.membership.pauseMediaRelay(true, nowNanoseconds: rig.now)
    try rig.run(to: 2_100)
    _ = try rig.membership.pauseMediaRelay(false, nowNanoseconds: rig.now)
    try rig.run(to: 2_200)
    #expect(
      rig.log == ["2040 refused -12", "2040 relay event 13", "2140 refused -12", "2140 relay event 15"])
  }

  @Test("a pause needs a relay to other channels that runs", .shows("C18"))
  func pauseWithout() throws {
    let rig = try ChannelRig.joined()
    for isPaused in [true, false] {
      let error = #expect(throws: ChannelError.self) {
        try rig.membership.pauseMediaRelay(isPaused, nowNanoseconds: rig.now)
      }
      #expect(error?.code == .wrongState)
    }
  }

  @Test("a stop ends in idle, at once if the relay has no list", .shows("C18"))
  func stops() throws {
    let rig = try Self.running()
    _ = try rig.membership.stopMediaRelay(nowNanoseconds: rig.now)
    try rig.run(to: 2_100)
    #expect(rig.log == ["2040 granted", "2040 relays 0/0"])
    rig.forget()
    #expect(try rig.membership.stopMediaRelay(nowNanoseconds: rig.now) == nil)
    try rig.run(to: 3_000)
    #expect(rig.log == [])
    #expect(rig.relay.mediaRelays.map(\.destinations.count) == [1, 0])
  }

  @Test("a stop without an answer is idle with error 2, and is requested again", .shows("C18"))
  func unansweredStop() throws {
    let rig = try Self.running()
    rig.relay.answersMediaRelay = false
    _ = try rig.membership.stopMediaRelay(nowNanoseconds: rig.now)
    try rig.run(to: 8_000)
    #expect(rig.log == ["7000 refused -1", "7000 relays 0/2"])
    rig.relay.answersMediaRelay = true
    rig.cutSignalling()
    try rig.run(to: 9_000)
    #expect(rig.relay.mediaRelays.map(\.destinations.count) == [1, 0, 0, 0])
  }

  @Test("a start behind a stop without its answer has all steps", .shows("C18"))
  func restart() throws {
    let rig = try Self.running()
    _ = try rig.membership.stopMediaRelay(nowNanoseconds: rig.now)
    try Self.relay(rig, [Self.yard])
    try rig.run(to: 2_100)
    #expect(
      rig.log == [
        "2040 granted", "2040 relays 0/0", "2040 relays 1/0", "2040 granted", "2040 relay event 2",
        "2040 relay event 3", "2040 relayed to yard as 77", "2040 relay event 4", "2040 relays 2/0",
      ])
  }

  @Test("one channel ends with its sentence, and the last one with a failure", .shows("C18"))
  func ends() throws {
    let rig = try Self.running([Self.hall, Self.yard])
    for (channel, code) in [("hall", ChannelErrorCode.tokenExpired), ("yard", .user)] {
      rig.relay.send(
        .mediaRelayEnded(
          MediaRelayEndedEvent(
            channel: rig.membership.channel, destination: ChannelName(channel)!, code: code, sentence: "over")))
      try rig.run(to: channel == "hall" ? 2_100 : 2_200)
    }
    #expect(
      rig.log == [
        "2020 not relayed to hall: -109 over", "2020 relays 2/11", "2120 not relayed to yard: -121 over",
        "2120 relays 3/7",
      ])
  }
}
