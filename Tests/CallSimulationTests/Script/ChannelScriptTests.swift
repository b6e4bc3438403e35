import CallSimulation
import Foundation
import MediaStreams
import NetworkSimulation
import OpusCodec
import Signalling
import TestSupport
import Testing

/// Scripts that name channels of a relay.
@Suite(.timeLimit(.minutes(10))) struct ChannelScriptTests {
  private let calls = ChannelCalls()

  private func script(_ events: String) throws -> CallScript {
    try CallScript(parsing: "{\"schema\": 1, \"events\": [\(events)]}") { _ in throw CancellationError() }
  }

  @Test("joins and leaves have a channel, and a join has publish", .shows("simulate: channels"))
  func values() throws {
    let events = try script(
      """
      {"time_s": 1, "name": "join", "user": 1}, {"time_s": 1, "name": "join", "user": 1, "channel": "stage & hall"},
      {"time_s": 1, "name": "join", "user": 1, "channel": "b", "publish": false},
      {"time_s": 1, "name": "leave", "user": 1, "channel": "b"}, {"time_s": 1, "name": "leave", "user": 1}
      """
    ).events
    let (hall, b) = (ChannelName("stage & hall"), ChannelName("b"))
    #expect(
      events.map(\.action) == [
        .join(user: 1), .join(user: 1, channel: hall), .join(user: 1, channel: b, publishes: false),
        .leave(user: 1, channel: b), .leave(user: 1),
      ])
    #expect(events.map(\.action.channel) == [nil, hall, b, b, nil])
  }

  @Test(
    "a channel that cannot be is refused in one sentence", .shows("simulate: channels", "simulate: wrong scripts"),
    arguments: [
      (join("a/b"), "event 0: 'channel' has 1 to 64 of the ASCII letters"),
      (join(String(repeating: "x", count: 65)), "; it has 65 bytes"),
      ("\"leave\", \"user\": 1, \"channel\": 3", "event 0: 'channel' is a text, not 3"),
      ("\"join\", \"user\": 1, \"publish\": \"no\"", "event 0: 'publish' is true or false, not the text \"no\""),
      ("\"leave\", \"user\": 1, \"publish\": false", "'leave' has no key 'publish'; use time_s, name, user, channel"),
      ("\"mute\", \"user\": 1, \"channel\": \"a\"", "'mute' has no key 'channel'; use time_s, name, user, listener"),
    ])
  func keys(event: String, words: String) {
    let error = #expect(throws: ScriptError.self) { try script("{\"time_s\": 1, \"name\": \(event)}") }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("\n") == false)
  }

  @Test(
    "a script of channels that its users are not in is refused",
    .shows("simulate: channels", "simulate: wrong scripts"),
    arguments: [
      ([join("a"), join("a")], "event 1: user 1 is in the channel 'a' already at 1.5 s; let it leave first"),
      ([leave("a")], "event 0: user 1 is not in the channel 'a' at 0.5 s; let it join first"),
      ([join("call"), join("call")], "event 1: user 1 is in the call already at 1.5 s; let it leave first"),
      ([join("a"), leave("call")], "event 1: user 1 is not in the call at 1.5 s; let it join first"),
      ([join("a"), leave("a"), leave("a")], "event 2: user 1 is not in the channel 'a' at 2.5 s; let it join first"),
      (
        [join("a"), "\"userVolume\", \"user\": 1, \"listener\": 2, \"volume\": 5"],
        "event 1: user 1 and listener 2 share no channel at 1.5 s; let both join one first"
      ),
      (
        [join("a"), leave("a"), "\"recordingVolume\", \"user\": 1, \"volume\": 5"],
        "event 2: user 1 is not in the call at 2.5 s; let it join first"
      ),
    ])
  func membership(events: [String], words: String) throws {
    let texts = events.enumerated().map { "{\"time_s\": \($0).5, \"name\": \($1)}" }
    let call = try calls.call(2, seconds: 4, events: texts.joined(separator: ","))
    let error = #expect(throws: ScriptError.self) { try call.run() }
    #expect(error?.description == words)
  }

  private static func join(_ channel: String) -> String { "\"join\", \"user\": 1, \"channel\": \"\(channel)\"" }
  private static func leave(_ channel: String) -> String { "\"leave\", \"user\": 1, \"channel\": \"\(channel)\"" }

  @Test("a channel needs a relay, and so does a join that is not published", .shows("simulate: channels"))
  func direct() throws {
    for (event, key) in [
      (Self.join("a"), "channel"), (Self.join("call"), "channel"), (Self.leave("a"), "channel"),
      ("\"join\", \"user\": 1, \"publish\": false", "publish"),
    ] {
      var call = try calls.call(2, seconds: 3, events: "{\"time_s\": 1, \"name\": \(event)}")
      call.topology = .direct
      let error = #expect(throws: ScriptError.self) { try call.run() }
      #expect(
        error?.description
          == "event 0: the key '\(key)' needs a relay, and this call has none; use --relay, or topology .relay")
    }
  }

  @Test("the channel that events without a channel mean is named call", .shows("simulate: channels"))
  func callChannel() throws {
    let results = try ["", ", \"channel\": \"call\""].map { channel in
      let events = [(2, "leave"), (3, "join")].map { time, name in
        "{\"time_s\": \(time), \"name\": \"\(name)\", \"user\": 2\(channel)}"
      }
      var call = try calls.call(2, seconds: 5, events: events.joined(separator: ","))
      call.codec = .null(.milliseconds20)
      return try call.run()
    }
    for user: UInt32 in 1...2 {
      let connections = results.map { result in result.connection(of: user).map { "\($0.seconds) \($0.text)" } }
      #expect(connections[0] == connections[1] && connections[0].count > 3)
    }
  }
}
