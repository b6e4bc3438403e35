import CallSimulation
import Engine
import MediaStreams
import Metering
import NetworkSimulation
import OpusCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ChannelFaultTests {
  private let calls = ChannelCalls()

  /// Runs a call of two users without sound, on paths of 20 ms.
  private func run(_ users: Int = 2, seconds: Double, _ events: String, seed: UInt64 = 1) throws -> CallResult {
    var call = try calls.call(users, seconds: seconds, conditions: try ChannelCalls.delay(20), events: events)
    call.codec = .null(.milliseconds20)
    call.seed = seed
    return try call.run()
  }

  /// Expects events in order, each within 60 ms of its time.
  private func expect(
    _ events: [(seconds: Double, text: String)], _ wanted: [(Double, String)],
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(events.map(\.text) == wanted.map(\.1), sourceLocation: location)
    for (event, want) in zip(events, wanted) {
      #expect(abs(event.seconds - want.0) < 0.06, "\(event)", sourceLocation: location)
    }
  }

  @Test("a cut of 3 s is not an interruption", .shows("C9"))
  func threeSeconds() throws {
    let result = try run(seconds: 12, ChannelCalls.cut(1, at: 5, seconds: 3))
    expect(result.connection(of: 1, from: 5), [])
    expect(result.connection(of: 2, from: 5), [])
    #expect(try #require(result.heard(2, by: 1, from: 8)) < 8.3)
    #expect(try #require(result.heard(1, by: 2, from: 8)) < 8.3)
  }

  @Test("a cut of 6 s is reported after 4 s, and the user rejoins", .shows("C9"))
  func sixSeconds() throws {
    let result = try run(seconds: 20, ChannelCalls.cut(1, at: 5, seconds: 6))
    let events = result.connection(of: 1, from: 5)
    #expect(events.map(\.text) == ["state 4/2", "state 3/15", "rejoined as 1"])
    #expect(abs(events[0].seconds - 9) < 0.06)
    #expect((11...13.5).contains(events[1].seconds), "\(events)")
    // The other user is told of nothing.
    expect(result.connection(of: 2, from: 5), [])
    // The path carries sound at once, before the rejoin.
    #expect(try #require(result.heard(2, by: 1, from: 11)) < 11.3)
  }

  @Test("a cut of 12 s is a lost connection after 10 s", .shows("C9"))
  func twelveSeconds() throws {
    let result = try run(seconds: 25, ChannelCalls.cut(1, at: 5, seconds: 12))
    let events = result.connection(of: 1, from: 5).filter { $0.text != "timed out" }
    #expect(events.map(\.text) == ["state 4/2", "lost", "state 3/15", "rejoined as 1"])
    #expect(abs(events[0].seconds - 9) < 0.06 && abs(events[1].seconds - 15) < 0.06)
    #expect((17...20).contains(events[2].seconds), "\(events)")
    expect(result.connection(of: 2, from: 5), [])
  }

  @Test("a user cut for 27 s is dropped after 25 s, and joins again", .shows("C7", "C8", "C9"))
  func longerThanTheDropTime() throws {
    let result = try run(seconds: 45, ChannelCalls.cut(1, at: 5, seconds: 27))
    let events = result.connection(of: 1, from: 5).filter { $0.text != "timed out" }
    #expect(events.map(\.text) == ["state 4/2", "lost", "state 4/14", "state 3/15", "rejoined as 1"])
    let others = result.connection(of: 2, from: 5)
    #expect(others.map(\.text) == ["user 1 offline 1", "user 1 joined"])
    #expect(abs(others[0].seconds - 30) < 0.1 && others[1].seconds > 32, "\(others)")
  }

  @Test("after 20 minutes without a relay the connection fails", .shows("C8", "C9"))
  func twentyMinutes() throws {
    let result = try run(seconds: 1_260, ChannelCalls.cut(1, at: 5, seconds: 1_254))
    let events = result.connection(of: 1, from: 5).filter { $0.text != "timed out" }
    expect(events, [(9, "state 4/2"), (15, "lost"), (1_205, "failed -1"), (1_205, "state 5/16")])
  }

  @Test("users of a relay that restarts are back within 3 s as the same users", .shows("C1a", "C9"))
  func restart() throws {
    let result = try run(
      5, seconds: 20, "{\"time_s\": 5, \"name\": \"stopRelay\"}, {\"time_s\": 8, \"name\": \"startRelay\"}")
    for user: UInt32 in 1...5 {
      let events = result.connection(of: user, from: 5)
      #expect(events.map(\.text).contains("rejoined as \(user)"), "\(events)")
      #expect(!events.contains { $0.text.hasPrefix("user ") }, "no one has left or joined: \(events)")
      for other: UInt32 in 1...5 where other != user {
        #expect(try #require(result.heard(other, by: user, from: 8)) < 11, "\(user) hears \(other)")
      }
    }
  }

  @Test("a user in another network is heard within 1 s, signals within 2 s", .shows("C8", "C9"))
  func network() throws {
    let result = try run(
      3, seconds: 16,
      """
      {"time_s": 7, "name": "changeAddress", "user": 2, "new_network": true}, {"time_s": 9.5, "name": "mute", "user": 2}
      """)
    let events = result.connection(of: 2, from: 7)
    #expect(events.map(\.text) == ["state 4/13", "state 3/15", "rejoined as 2"], "\(events)")
    #expect(events.allSatisfy { $0.seconds < 8.5 }, "\(events)")
    for user: UInt32 in [1, 3] {
      expect(result.connection(of: user, from: 7), [])
      #expect(try #require(result.heard(2, by: user, from: 7.2)) < 8)
      #expect(try #require(result.heard(user, by: 2, from: 7.2)) < 8)
      // Its messages pass: the others are told of its mute.
      let muted = result.events.first { event in
        guard case .pipeline(.remoteMuted(let speaker, let isMuted), user) = event.kind else { return false }
        return speaker.uid == 2 && isMuted
      }
      #expect(try #require(muted).seconds < 9.7)
    }
  }

  @Test("a user's volume survives a restart of the relay", .shows("C1a", "C9"))
  func settings() throws {
    let calls = ChannelCalls()
    let call = try calls.call(
      2, seconds: 18, conditions: try ChannelCalls.delay(20),
      events: """
        {"time_s": 3, "name": "userVolume", "listener": 1, "user": 2, "volume": 50},
        {"time_s": 5, "name": "stopRelay"}, {"time_s": 8, "name": "startRelay"},
        \(ChannelCalls.cut(2, at: 7.9, seconds: 3))
        """, each: "settings")
    let result = try call.run()
    let rejoins = try (1...2).map { user in
      try #require(result.connection(of: UInt32(user)).first { $0.text.hasPrefix("rejoined") }).seconds
    }
    #expect(rejoins[0] < rejoins[1], "the listener is first: \(rejoins)")
    #expect(!result.connection(of: 1, from: 5).contains { $0.text.hasPrefix("user ") })
    let heard = try calls.files.samples("settings/1.wav")
    for start in [4, 16] {
      let level = toneAmplitude(
        of: ChannelCalls.hertz(2), in: heard[start * 48_000..<(start + 1) * 48_000], sampleRate: 48_000)
      #expect(abs(level - 0.125) < 0.01, "at \(start) s: \(level)")
    }
  }

  @Test("a user with a changed address is heard again within 1 s", .shows("C9"))
  func address() throws {
    let result = try run(3, seconds: 12, "{\"time_s\": 5, \"name\": \"changeAddress\", \"user\": 2}")
    for user: UInt32 in 1...3 { expect(result.connection(of: user, from: 5), []) }
    for (voice, listener) in [(2, 1), (1, 2)] as [(UInt32, UInt32)] {
      // A path that is found again at once has no event.
      #expect(result.heard(voice, by: listener, from: 5) ?? 5 < 6)
      let heard = result.listeners.first { $0.uid == listener }?.heard.first { $0.uid == voice }
      let second = try #require(heard?.seconds.last { $0.timeSeconds == 9 })
      #expect(second.packets > 30, "\(listener) hears \(voice): \(second)")
    }
  }

  @Test("steps of the relay's clock do not disturb users with valid tokens", .shows("C12"))
  func calendar() throws {
    let result = try run(
      seconds: 12,
      """
      {"time_s": 3, "name": "stepRelayClock", "step_s": 3600}, {"time_s": 5, "name": "stepRelayClock", "step_s": -86400},
      {"time_s": 7, "name": "stepRelayClock", "step_s": 86400}
      """)
    for user: UInt32 in 1...2 { expect(result.connection(of: user, from: 3), []) }
  }

  @Test("a token that expires by the relay's calendar ends the channel with 5/9", .shows("C12"))
  func expiry() throws {
    let result = try run(seconds: 8, "{\"time_s\": 3, \"name\": \"stepRelayClock\", \"step_s\": 40000000}")
    for user: UInt32 in 1...2 {
      let events = result.connection(of: user, from: 3)
      #expect(events.map(\.text).prefix(2) == ["failed -109", "state 5/9"], "\(events)")
      #expect(abs(events[0].seconds - 3.02) < 0.06)
    }
  }

  @Test("the others are notified at once of a user that leaves and returns", .shows("C6", "C7"))
  func leave() throws {
    let result = try run(
      seconds: 10, "{\"time_s\": 3, \"name\": \"leave\", \"user\": 2}, {\"time_s\": 6, \"name\": \"join\", \"user\": 2}"
    )
    expect(result.connection(of: 1, from: 3), [(3.02, "user 2 offline 0"), (6.12, "user 2 joined")])
    expect(
      result.connection(of: 2, from: 3),
      [
        (3.04, "state 1/5"), (3.04, "left"), (6, "state 2/0"), (6.24, "state 3/1"), (6.24, "joined as 2"),
        (6.24, "user 1 joined"),
      ])
  }

  @Test("a relay in a direct call and a link between relay users are refused", .shows("simulate: script"))
  func refusals() throws {
    var direct = try calls.call(2, seconds: 3, events: "{\"time_s\": 1, \"name\": \"stopRelay\"}")
    direct.topology = .direct
    #expect(throws: ScriptError.self) { try direct.run() }
    let link = try calls.call(
      2, seconds: 3, events: "{\"time_s\": 1, \"name\": \"network\", \"from\": 1, \"to\": 2, \"loss_percent\": 5}")
    #expect(throws: ScriptError.self) { try link.run() }
    var telephone = try calls.call(2, seconds: 3)
    telephone.codec = .pcmu()
    #expect(throws: SimulationError.relayCodec) { try telephone.run() }
  }
}
