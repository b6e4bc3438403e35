import AudioGraph
import CallSimulation
import Engine
import Foundation
import MediaStreams
import NetworkSimulation
import OpusCodec
import Signalling
import TestSupport
import Testing

/// Users that are in several channels of a relay at once. User 1 says 200 Hz, user 2 300 Hz, user 3 400 Hz.
@Suite(.timeLimit(.minutes(10))) struct SeveralChannelsTests {
  private let calls = ChannelCalls()

  /// User 1 is in channels a and b, 2 in a, 3 in b.
  private static let joins = [(1, "a"), (1, "b"), (2, "a"), (3, "b")].map { join($0.0, $0.1) }.joined(separator: ",")

  private static func join(_ user: Int, _ channel: String, at seconds: Double = 0, _ keys: String = "") -> String {
    "{\"time_s\": \(seconds), \"name\": \"join\", \"user\": \(user), \"channel\": \"\(channel)\"\(keys)}"
  }

  private static func leave(_ user: Int, _ channel: String, at seconds: Double) -> String {
    "{\"time_s\": \(seconds), \"name\": \"leave\", \"user\": \(user), \"channel\": \"\(channel)\"}"
  }

  /// Amplitude of a user's tone in a listener's mix, over half a second.
  private func level(_ user: UInt32, at listener: UInt32, in folder: String, from start: Double) throws -> Double {
    let samples = try calls.files.samples("\(folder)/\(listener).wav")
    return toneAmplitude(
      of: ChannelCalls.hertz(user), in: samples[Int(start * 48_000)..<Int((start + 0.5) * 48_000)], sampleRate: 48_000)
  }

  /// Expects the pairs (listener, speaker) that hear each other, of all pairs.
  private func expect(
    _ wanted: Set<[UInt32]>, in folder: String, from start: Double, _ location: SourceLocation = #_sourceLocation
  ) throws {
    for listener: UInt32 in 1...3 {
      for speaker: UInt32 in 1...3 {
        let level = try level(speaker, at: listener, in: folder, from: start)
        let target = wanted.contains([listener, speaker]) ? 0.25 : 0
        #expect(
          abs(level - target) < 0.02, "\(listener) hears \(speaker) with \(level) at \(start) s",
          sourceLocation: location)
      }
    }
  }

  /// A call whose packets hold no sound, on paths of 20 ms.
  private func run(_ users: Int, seconds: Double, _ events: String) throws -> CallResult {
    var call = try calls.call(users, seconds: seconds, conditions: try ChannelCalls.delay(20), events: events)
    call.codec = .null(.milliseconds20)
    return try call.run()
  }

  @Test("a user of two channels hears both, and they do not hear each other", .shows("simulate: channels"))
  func twoChannels() throws {
    let events = [Self.joins, Self.leave(1, "b", at: 3), Self.join(1, "b", at: 5)]
    let result = try calls.call(
      3, seconds: 8, conditions: try ChannelCalls.delay(20), events: events.joined(separator: ","), each: "two"
    ).run()
    try expect([[1, 2], [2, 1], [1, 3], [3, 1]], in: "two", from: 2)
    try expect([[1, 2], [2, 1]], in: "two", from: 4)
    try expect([[1, 2], [2, 1], [1, 3], [3, 1]], in: "two", from: 7)
    #expect(
      try calls.files.contents("two").keys.sorted() == [
        "1.wav", "1_from_2_in_a.wav", "1_from_3_in_b.wav", "2.wav", "2_from_1_in_a.wav", "3.wav", "3_from_1_in_b.wav",
      ])
    for (name, user) in [("1_from_2_in_a", 2), ("1_from_3_in_b", 3)] as [(String, UInt32)] {
      let samples = try calls.files.samples("two/\(name).wav")[96_000..<120_000]
      for other: UInt32 in 1...3 {
        let level = toneAmplitude(of: ChannelCalls.hertz(other), in: samples, sampleRate: 48_000)
        #expect(abs(level - (other == user ? 0.25 : 0)) < 0.02, "\(name): \(level) of user \(other)")
      }
    }
    let heard = result.listeners.map { listener in listener.heard.map { "\($0.uid) in \($0.channel?.text ?? "call")" } }
    #expect(heard == [["2 in a", "3 in b"], ["1 in a"], ["1 in b"]])
    for voice in result.listeners.flatMap(\.heard) {
      #expect(voice.packetsLost == 0 && voice.statistics.ledger.imbalance() == 0 && voice.packetsSent > 500)
    }
  }

  @Test("all channels of a user share one session at the relay", .shows("simulate: channels"))
  func oneSession() throws {
    let result = try run(3, seconds: 3, Self.joins)
    let counters = Dictionary(uniqueKeysWithValues: result.relayCounters.map { ($0.name, $0.value) })
    // Three times hello, four times join, and the first quality of each user in each of its channels.
    #expect(counters["messages"] == 11)
    // User 1 sends to two channels.
    let packets = try #require(counters["packets"])
    #expect(abs(packets - 4 * 140) < 30, "\(packets)")
    #expect(counters["forwarded"] == packets)
  }

  @Test("a user that leaves its last channel returns to any channel", .shows("simulate: channels"))
  func lastChannel() throws {
    let events = [
      Self.joins, Self.leave(1, "b", at: 3), Self.leave(1, "a", at: 3), Self.join(1, "b", at: 5),
      "{\"time_s\": 7, \"name\": \"join\", \"user\": 1}", "{\"time_s\": 7, \"name\": \"join\", \"user\": 2}",
    ]
    let result = try calls.call(
      3, seconds: 10, conditions: try ChannelCalls.delay(20), events: events.joined(separator: ","), each: "last"
    ).run()
    try expect([], in: "last", from: 4)
    try expect([[1, 3], [3, 1]], in: "last", from: 6)
    try expect([[1, 3], [3, 1], [1, 2], [2, 1]], in: "last", from: 9)
    let b = ChannelName("b")!
    #expect(
      result.connection(of: 1, in: b, from: 3).map(\.text) == [
        "state 1/5", "left", "state 2/0", "state 3/1", "joined as 1", "user 3 joined",
      ])
    #expect(result.connection(of: 3, in: b, from: 3).map(\.text) == ["user 1 offline 0", "user 1 joined"])
  }

  @Test("a channel that is left and joined at one moment is joined", .shows("simulate: channels"))
  func atOnce() throws {
    let events = [Self.joins, Self.leave(1, "b", at: 3), Self.join(1, "b", at: 3)]
    _ = try calls.call(
      3, seconds: 6, conditions: try ChannelCalls.delay(20), events: events.joined(separator: ","), each: "once"
    ).run()
    try expect([[1, 2], [2, 1], [1, 3], [3, 1]], in: "once", from: 5)
  }

  @Test("a user that does not publish in a channel only hears it", .shows("simulate: channels"))
  func publish() throws {
    let events = [
      Self.join(1, "a"), Self.join(1, "b", at: 0, ", \"publish\": false"), Self.join(2, "a"), Self.join(3, "b"),
    ]
    let result = try calls.call(3, seconds: 4, events: events.joined(separator: ","), each: "publish").run()
    try expect([[1, 2], [2, 1], [1, 3]], in: "publish", from: 3)
    let silent = try #require(result.listeners.first { $0.uid == 3 }?.heard.first)
    #expect(silent.uid == 1 && silent.packetsSent == 0 && silent.mos == nil)
  }

  @Test("a user of two common channels is heard twice, as in an engine", .shows("simulate: channels"))
  func heardTwice() throws {
    let events = [Self.join(1, "a"), Self.join(1, "b"), Self.join(2, "a"), Self.join(2, "b", at: 3)]
    let result = try calls.call(3, seconds: 6, events: events.joined(separator: ","), each: "twice").run()
    // Both delays are whole frames, in which a tone of 300 Hz has whole periods.
    #expect(abs(try level(2, at: 1, in: "twice", from: 2) - 0.25) < 0.02)
    #expect(abs(try level(2, at: 1, in: "twice", from: 5) - 0.5) < 0.02)
    #expect(result.listeners[0].heard.map { $0.channel?.text } == ["a", "b"])
    #expect(result.listeners[0].heard.allSatisfy { $0.packetsSent > 200 && $0.packetsLost == 0 })
  }

  @Test("mutes and levels hold for all channels, and for those joined later", .shows("simulate: channels"))
  func settings() throws {
    let events = [
      Self.join(1, "a"), Self.join(2, "a"), Self.join(3, "b"),
      "{\"time_s\": 2, \"name\": \"mute\", \"user\": 1}", Self.join(1, "b", at: 3),
      "{\"time_s\": 5, \"name\": \"unmute\", \"user\": 1}",
      "{\"time_s\": 7, \"name\": \"userVolume\", \"user\": 3, \"listener\": 1, \"volume\": 50}",
      "{\"time_s\": 9, \"name\": \"mute\", \"user\": 3, \"listener\": 1}",
      "{\"time_s\": 11, \"name\": \"unmute\", \"user\": 3, \"listener\": 1}",
    ]
    let result = try calls.call(3, seconds: 13, events: events.joined(separator: ","), each: "mutes").run()
    try expect([[1, 2], [1, 3]], in: "mutes", from: 4)
    try expect([[1, 2], [2, 1], [1, 3], [3, 1]], in: "mutes", from: 6)
    for (start, wanted) in [(8.0, 0.125), (10, 0), (12, 0.125)] {
      let level = try level(3, at: 1, in: "mutes", from: start)
      #expect(abs(level - wanted) < 0.02, "\(level) at \(start) s")
      #expect(abs(try self.level(2, at: 1, in: "mutes", from: start) - 0.25) < 0.02)
    }
    for event in result.events { if case .script(_, _, let refusal) = event.kind { #expect(refusal == nil) } }
  }

  @Test(
    "a lost network, relay or address brings every channel of the user back", .shows("simulate: channels", "C9"),
    arguments: [
      ("cut", ChannelCalls.cut(1, at: 5, seconds: 6), true),
      ("long cut", ChannelCalls.cut(1, at: 5, seconds: 12), true),
      ("relay", "{\"time_s\": 5, \"name\": \"stopRelay\"}, {\"time_s\": 8, \"name\": \"startRelay\"}", true),
      ("network", "{\"time_s\": 5, \"name\": \"changeAddress\", \"user\": 1, \"new_network\": true}", true),
      ("address", "{\"time_s\": 5, \"name\": \"changeAddress\", \"user\": 1}", false),
    ])
  func cuts(name: String, events: String, rejoins: Bool) throws {
    let call = "{\"time_s\": 0, \"name\": \"join\", \"user\": "
    let result = try run(3, seconds: 26, [Self.joins, "\(call)1}", "\(call)3}", events].joined(separator: ","))
    for channel in [ChannelName("a")!, ChannelName("b")!, CallScript.channel] {
      let texts = result.connection(of: 1, in: channel, from: 5).map(\.text)
      #expect(texts.contains("rejoined as 1") == rejoins, "\(name), \(channel): \(texts)")
      #expect(!texts.contains { $0.hasPrefix("user ") || $0.hasPrefix("failed") }, "\(name), \(channel): \(texts)")
      for other: UInt32 in 2...3 {
        let others = result.connection(of: other, in: channel, from: 5).map(\.text)
        #expect(!others.contains { $0.hasPrefix("user ") }, "\(name): \(other) in \(channel): \(others)")
      }
    }
    for listener in result.listeners {
      for voice in listener.heard {
        let last = try #require(voice.seconds.last { $0.timeSeconds == 24 })
        #expect(last.packets > 45, "\(name): \(listener.uid) hears \(voice.uid) in \(voice.channel?.text ?? "call")")
        #expect(voice.statistics.payloadMismatches == 0)
      }
    }
  }

  @Test("a silent listener hears the call alone", .shows("simulate: channels"))
  func silentListener() throws {
    let events = [Self.join(1, "call"), Self.join(1, "b"), Self.join(2, "call"), Self.join(3, "b")]
    var call = try calls.call(3, seconds: 4, events: events.joined(separator: ","))
    call.outputs.mixedPath = calls.files.path("silent.wav")
    let result = try call.run()
    let samples = try calls.files.samples("silent.wav")[144_000..<168_000]
    for (user, wanted) in [(1, 0.25), (2, 0.25), (3, 0)] as [(UInt32, Double)] {
      #expect(abs(toneAmplitude(of: ChannelCalls.hertz(user), in: samples, sampleRate: 48_000) - wanted) < 0.02)
    }
    #expect(result.listeners.last?.heard.map(\.uid) == [1, 2])
  }

  @Test("calls of one seed have equal sound and equal events in all channels", .shows("simulate: channels"))
  func seeds() throws {
    // Without loss: which packets of a handshake are lost changes with its keys, which no seed makes here.
    let conditions = try NetworkConditions(
      delay: .milliseconds(20), jitter: .uniform(plusMinus: .milliseconds(10)))
    let results = try [("x", 7), ("y", 7), ("z", 8)].map { name, seed in
      let events = [Self.joins, Self.leave(1, "b", at: 3), Self.join(1, "b", at: 4)].joined(separator: ",")
      var call = try calls.call(3, seconds: 6, conditions: conditions, events: events, each: name)
      call.seed = UInt64(seed)
      return try call.run()
    }
    let files = try ["x", "y", "z"].map(calls.files.contents)
    #expect(files[0] == files[1] && files[0].count == 7)
    #expect(files[0] != files[2])
    #expect(results[0].events == results[1].events)
    let seconds = results.map { result in result.listeners.map { $0.heard.map(\.seconds) } }
    #expect(seconds[0] == seconds[1])
  }

  @Test("a channel of a user changes no packet of its other channels", .shows("simulate: channels"))
  func independence() throws {
    let lone = [Self.join(1, "a"), Self.join(2, "a")]
    let sent = try [lone, lone + [Self.join(1, "b"), Self.join(3, "b")]].map { events in
      try run(3, seconds: 4, events.joined(separator: ",")).listeners[1].heard.map(\.packetsSent)
    }
    #expect(sent[0] == sent[1] && sent[0][0] > 100)
  }
}
