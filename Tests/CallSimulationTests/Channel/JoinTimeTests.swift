import CallSimulation
import MediaStreams
import TestSupport
import Testing

/// Times from the call of a join to its event and to the first sound, for round trips of 0, 20 and 100 ms.
@Suite(.timeLimit(.minutes(5))) struct JoinTimeTests {
  private let calls = ChannelCalls()

  /// Paths of a join, and the round trips that each takes.
  enum Path: CaseIterable {
    case fromNothing, openSession, preloaded

    var roundTrips: Double {
      switch self {
      case .fromNothing: 5
      case .openSession: 3
      case .preloaded: 1
      }
    }

    /// Events of user 1, which joins at 3 s.
    var events: String {
      switch self {
      case .fromNothing: #"{"time_s": 3, "name": "join", "user": 1}"#
      case .openSession:
        #"{"time_s": 0, "name": "join", "user": 1, "channel": "other"}, {"time_s": 3, "name": "join", "user": 1}"#
      case .preloaded:
        #"{"time_s": 0, "name": "preload", "user": 1}, {"time_s": 3, "name": "join", "user": 1, "role": "audience"}"#
      }
    }
  }

  @Test(
    "a join and its first sound take the round trips of their path", .shows("C6", "C13"), arguments: Path.allCases,
    [0, 20, 100])
  func join(_ path: Path, roundTripMilliseconds: Double) throws {
    let call = try calls.call(
      2, seconds: 6, conditions: ChannelCalls.delay(Int(roundTripMilliseconds) / 2), events: path.events)
    let result = try call.run()
    let start = 3.0
    let limit = start + path.roundTrips * roundTripMilliseconds / 1_000
    let joined = try #require(result.connection(of: 1, from: start).first { $0.text == "joined as 1" }).seconds
    // The event is noted with the next work of the engine.
    #expect(joined <= limit + 0.020 && joined >= limit - 0.001, "joined after \(joined - start) s")
    let heard = try #require(result.heard(2, by: 1, from: start))
    #expect(heard <= limit + 0.120, "heard after \(heard - start) s")
    // The user's own first packet takes another one.
    if path != .preloaded {
      let hears = try #require(result.heard(1, by: 2, from: start))
      #expect(hears <= limit + roundTripMilliseconds / 1_000 + 0.120, "hears after \(hears - start) s")
    }
  }

  @Test("nobody hears of a preload, and its join is that of an audience", .shows("C13"))
  func announced() throws {
    let call = try calls.call(
      2, seconds: 5, conditions: ChannelCalls.delay(10), events: Path.preloaded.events)
    let result = try call.run()
    #expect(result.connection(of: 2).map(\.text) == ["state 2/0", "state 3/1", "joined as 2"])
    #expect(result.heard(1, by: 2, from: 0) == nil)
  }
}
