import CallSimulation
import Channels
import MediaStreams
import NetworkSimulation
import OpusCodec
import Signalling
import TestSupport
import Testing

/// Users that are heard in other channels, through a relay over links with delay and loss.
@Suite(.timeLimit(.minutes(10))) struct MediaRelayTests {
  private let calls = ChannelCalls()
  /// User 1 is in the call, user 2 in the hall, and user 3 in both.
  private static let joins = [
    #"{"time_s": 0, "name": "join", "user": 1}"#,
    #"{"time_s": 0, "name": "join", "user": 2, "channel": "hall"}"#,
    #"{"time_s": 0, "name": "join", "user": 3}"#,
    #"{"time_s": 0, "name": "join", "user": 3, "channel": "hall"}"#,
  ]

  private func run(_ events: [String], seconds: Double = 10, loss: Double = 0) throws -> CallResult {
    var call = try calls.call(
      3, seconds: seconds, conditions: try ChannelCalls.delay(50, loss: loss),
      events: (Self.joins + events).joined(separator: ","))
    call.codec = .null(.milliseconds20)
    return try call.run()
  }

  private func heard(_ result: CallResult, _ uid: UInt32, at listener: UInt32, in channel: String?) -> HeardUser? {
    result.listeners.first { $0.uid == listener }?.heard.first { heard in
      heard.uid == uid && heard.channel?.text == channel
    }
  }

  private func events(_ result: CallResult, of user: UInt32) -> [String] {
    result.events.compactMap { event in
      guard case .channel(let event, user, _) = event.kind else { return nil }
      switch event {
      case .mediaRelayStateChanged(let state, let error): return "relays \(state.rawValue)/\(error.rawValue)"
      case .mediaRelayEvent(let event): return "relay event \(event.rawValue)"
      case .mediaRelayStarted(let channel, let uid): return "relayed to \(channel) as \(uid)"
      case .mediaRelayEnded(let channel, _): return "not relayed to \(channel)"
      case .userJoined(let user, _) where user.uid == 1: return "user 1 joined"
      case .userLeft(1, _): return "user 1 left"
      default: return nil
      }
    }
  }

  @Test("a relayed user is heard in each channel as long as it is relayed", .shows("C18", "simulate: channels"))
  func heard() throws {
    let result = try run([
      #"{"time_s": 2, "name": "startMediaRelay", "user": 1, "channels": ["hall"]}"#,
      #"{"time_s": 4, "name": "pauseMediaRelay", "user": 1}"#,
      #"{"time_s": 6, "name": "resumeMediaRelay", "user": 1}"#,
      #"{"time_s": 8, "name": "stopMediaRelay", "user": 1}"#,
    ])
    let hall = try #require(heard(result, 1, at: 2, in: "hall"))
    // 4 s of packets of 20 ms, within the delays of both links.
    #expect((190...205).contains(hall.packetsSent) && hall.link.delivered == hall.packetsSent, "\(hall)")
    let both = try #require(heard(result, 1, at: 3, in: "hall"))
    #expect(both.link.delivered == hall.link.delivered)
    let own = try #require(heard(result, 1, at: 3, in: nil))
    // The last packets are under way at the end.
    #expect(own.packetsSent > 450 && (0...3).contains(own.packetsSent - own.link.delivered), "\(own)")
    #expect(
      events(result, of: 1) == [
        "relays 1/0", "relay event 2", "relay event 3", "relayed to hall as 1", "relay event 4", "relays 2/0",
        "relay event 12", "relay event 14", "relays 0/0",
      ])
    #expect(events(result, of: 2) == ["user 1 joined", "user 1 left"])
  }

  @Test("a relayed user returns behind the relay's restart, with loss", .shows("C18", "C9"))
  func restart() throws {
    let result = try run(
      [
        #"{"time_s": 2, "name": "startMediaRelay", "user": 1, "channels": ["hall"]}"#,
        #"{"time_s": 5, "name": "stopRelay"}, {"time_s": 5.1, "name": "startRelay"}"#,
      ], seconds: 14, loss: 0.05)
    let hall = try #require(heard(result, 1, at: 2, in: "hall"))
    #expect(hall.link.delivered > 350, "\(hall)")
    let events = events(result, of: 1)
    #expect(events.prefix(6).last == "relays 2/0" && !events.contains("relays 3/8"), "\(events)")
    #expect(!self.events(result, of: 2).contains("user 1 left"))
  }

  @Test(
    "a list that cannot be is refused by the script", .shows("C18", "simulate: channels"),
    arguments: [
      (#""channels": []"#, "1 to 6"), (#""channels": ["call"]"#, "own"), (#""channels": ["a", "a"]"#, "each once"),
      (#""channels": "a""#, "array"), (#""channels": [1]"#, "texts"), (#""channels": ["a/b"]"#, "a name of 'channels'"),
      (#""channel": "hall", "channels": ["a"]"#, "not in the channel 'hall'"),
    ])
  func refusals(_ keys: String, _ text: String) throws {
    let error = #expect(throws: ScriptError.self) {
      try run([#"{"time_s": 2, "name": "startMediaRelay", "user": 1, "# + keys + "}"])
    }
    #expect(error?.description.contains(text) == true, "\(String(describing: error))")
  }
}
