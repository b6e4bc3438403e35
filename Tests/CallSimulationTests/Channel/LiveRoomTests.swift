import CallSimulation
import Channels
import Engine
import Metering
import NetworkSimulation
import OpusCodec
import Signalling
import TestSupport
import Testing

/// Three users of a live room through a relay, with music, roles and a second channel.
@Suite(.timeLimit(.minutes(10))) struct LiveRoomTests {
  private let calls = ChannelCalls()

  /// User 1 is the host and plays music, user 2 becomes a broadcaster and an audience again, user 3 only listens, and
  /// users 1 and 3 meet in a second channel.
  private func events() throws -> String {
    let song = try calls.files.tone(1_000, seconds: 2)
    return """
      {"time_s": 0, "name": "join", "user": 1}, {"time_s": 0.5, "name": "join", "user": 2, "role": "audience"},
      {"time_s": 1, "name": "join", "user": 3, "role": "audience"},
      {"time_s": 2, "name": "startMusic", "user": 1, "file": "\(song)"},
      {"time_s": 3, "name": "role", "user": 2, "role": "broadcaster"},
      {"time_s": 5, "name": "role", "user": 2, "role": "audience", "latency": "low"},
      {"time_s": 6, "name": "join", "user": 1, "channel": "crew"},
      {"time_s": 6, "name": "join", "user": 3, "channel": "crew"},
      {"time_s": 8, "name": "leave", "user": 1, "channel": "crew"}
      """
  }

  private func run(seed: UInt64, _ folder: String) throws -> CallResult {
    var call = try calls.call(
      3, seconds: 10, conditions: try ChannelCalls.delay(30, loss: 0.02), events: events(), each: folder)
    call.seed = seed
    return try call.run()
  }

  private func level(_ hertz: Double, at listener: Int, _ folder: String, from start: Double) throws -> Double {
    let samples = try calls.files.samples("\(folder)/\(listener).wav")
    return toneAmplitude(
      of: hertz, in: samples[Int(start * 48_000)..<Int((start + 0.4) * 48_000)], sampleRate: 48_000)
  }

  @Test(
    "a live room is heard by roles, and its events are those of its script", .shows("simulate: channels", "C11", "M3"))
  func room() throws {
    let result = try run(seed: 1, "room")
    // The music of user 1 is at users 2 and 3; the voice of user 2 while it is a broadcaster.
    for listener in 2...3 {
      #expect(try level(1_000, at: listener, "room", from: 3) > 0.2)
      #expect(try level(1_000, at: listener, "room", from: 4.8) < 0.02)
    }
    #expect(try level(300, at: 3, "room", from: 2) < 0.02 && level(300, at: 3, "room", from: 4) > 0.2)
    #expect(try level(300, at: 3, "room", from: 6) < 0.02)
    // The second channel has both as broadcasters.
    #expect(try level(400, at: 1, "room", from: 7) > 0.2 && level(400, at: 1, "room", from: 9) < 0.02)
    let names = Self.lines(result)
    for line in [
      "2: role 2 to 1", "2: role 1 to 2 low", "1: joined 2", "1: left 2 reason 2", "3: joined 2", "3: left 2 reason 2",
      "2: music of 1 true", "3: music of 1 true", "2: music of 1 false", "3: music of 1 false", "3 in crew: joined 1",
      "3 in crew: left 1 reason 0",
    ] {
      #expect(names.count { $0 == line } == 1, "\(line): \(names)")
    }
  }

  @Test("events and sound of a live room are equal for a seed", .shows("simulate: channels"))
  func seeds() throws {
    let (first, second, other) = (try run(seed: 7, "a"), try run(seed: 7, "b"), try run(seed: 8, "c"))
    #expect(first.events == second.events && first.events != other.events)
    #expect(try calls.files.samples("a/3.wav") == calls.files.samples("b/3.wav"))
  }

  @Test("a broadcaster with low latency is refused before the call", .shows("simulate: wrong scripts"))
  func misfit() {
    let event = #"{"time_s": 1, "name": "role", "user": 1, "role": "broadcaster", "latency": "low"}"#
    let error = #expect(throws: ScriptError.self) {
      try CallScript(parsing: "{\"schema\": 1, \"events\": [\(event)]}") { _ in throw CancellationError() }
    }
    #expect(error?.description.contains("'latency'") == true)
  }

  private static func lines(_ result: CallResult) -> [String] {
    result.events.compactMap { event in
      switch event.kind {
      case .channel(let change, let user, let channel):
        let place = channel == CallScript.channel ? "\(user)" : "\(user) in \(channel.text)"
        switch change {
        case .roleChanged(let old, let new, let options):
          return "\(place): role \(old.rawValue) to \(new.rawValue)"
            + (options.audienceLatencyLevel == .low ? " low" : "")
        case .userJoined(let other, _): return "\(place): joined \(other.uid)"
        case .userLeft(let other, let reason): return "\(place): left \(other) reason \(reason.rawValue)"
        default: return nil
        }
      case .pipeline(.remoteMusicStarted(let id), let user): return "\(user): music of \(id.uid) true"
      case .pipeline(.remoteMusicFinished(let id), let user): return "\(user): music of \(id.uid) false"
      default: return nil
      }
    }
  }
}
