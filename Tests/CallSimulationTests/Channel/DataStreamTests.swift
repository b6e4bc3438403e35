import CallSimulation
import Channels
import MediaStreams
import NetworkSimulation
import OpusCodec
import Signalling
import TestSupport
import Testing

/// Messages of data streams through a relay over bad links.
@Suite(.timeLimit(.minutes(10))) struct DataStreamTests {
  private let calls = ChannelCalls()

  /// Events of user 2 in a call whose user 1 sends 100 messages in 5 s.
  private func run(isReliable: Bool, isOrdered: Bool, loss: Double, events: [String] = []) throws -> CallResult {
    let messages = (0..<100).map { index in
      "{\"time_s\": \(2 + Double(index) * 0.05), \"name\": \"sendStreamMessage\", \"user\": 1, \"text\": \"\(index)\", "
        + "\"reliable\": \(isReliable), \"ordered\": \(isOrdered)}"
    }
    var call = try calls.call(
      2, seconds: 12, conditions: try ChannelCalls.delay(50, loss: loss),
      events: (messages + events).joined(separator: ","))
    call.codec = .null(.milliseconds20)
    return try call.run()
  }

  private func events(_ result: CallResult, at listener: UInt32) -> [String] {
    result.events.compactMap { event in
      guard case .channel(let channelEvent, listener, _) = event.kind else { return nil }
      switch channelEvent {
      case .streamMessage(_, _, let bytes): return String(decoding: bytes, as: UTF8.self)
      case .streamMessageError(_, _, let missed, let cached): return "missed \(missed), cached \(cached)"
      default: return nil
      }
    }
  }

  @Test("reliable ordered messages are all there at 10 % loss and 100 ms", .shows("C17", "simulate: channels"))
  func reliable() throws {
    let result = try run(isReliable: true, isOrdered: true, loss: 0.1)
    #expect(events(result, at: 2) == (0..<100).map { "\($0)" } && events(result, at: 1) == [])
  }

  @Test("a stream begins with its first message, whatever was lost on the way", .shows("C17"), arguments: 1...20)
  func beginning(seed: Int) throws {
    let messages = (0..<20).map { index in
      "{\"time_s\": \(4 + Double(index) * 0.04), \"name\": \"sendStreamMessage\", \"user\": 1, \"text\": \"\(index)\"}"
    }
    var call = try calls.call(
      2, seconds: 8, conditions: try ChannelCalls.delay(50, loss: 0.1), events: messages.joined(separator: ","))
    call.codec = .null(.milliseconds20)
    call.seed = UInt64(seed)
    let events = try events(call.run(), at: 2)
    let told = events.compactMap { $0.hasPrefix("missed ") ? Int($0.dropFirst(7).prefix { $0 != "," }) : nil }
    let numbers = events.compactMap { Int($0) }
    // Nothing is lost in silence; a few requests suffice for nearly all.
    #expect(numbers == numbers.sorted() && numbers.count + told.reduce(0, +) == 20, "\(events)")
    #expect(numbers.count >= 19)
  }

  @Test("unordered messages show their gaps at 10 % loss and 100 ms", .shows("C17"))
  func unordered() throws {
    let events = try events(run(isReliable: false, isOrdered: false, loss: 0.1), at: 2)
    let messages = events.compactMap { Int($0) }
    let missed = events.compactMap { $0.hasPrefix("missed ") ? Int($0.dropFirst(7).prefix { $0 != "," }) : nil }
    #expect(messages.count > 60 && messages.count < 95)
    #expect(messages.max()! - messages.min()! + 1 == messages.count + missed.reduce(0, +))
  }

  @Test("messages of an interruption of 2.5 s are repeated behind it", .shows("C17"))
  func interruption() throws {
    let cut =
      #"{"time_s": 3, "name": "network", "to": 2, "loss_percent": 100}, "#
      + #"{"time_s": 5.5, "name": "network", "to": 2, "loss_percent": 0}"#
    let events = try events(run(isReliable: true, isOrdered: true, loss: 0, events: [cut]), at: 2)
    #expect(events == (0..<100).map { "\($0)" })
  }

  @Test("messages that a new connection does not have are told once", .shows("C17"))
  func reconnection() throws {
    // The relay forgets the session, and user 2 joins again.
    let restart = #"{"time_s": 3.02, "name": "stopRelay"}, {"time_s": 3.03, "name": "startRelay"}"#
    let events = try events(run(isReliable: true, isOrdered: true, loss: 0, events: [restart]), at: 2)
    let told = events.compactMap { $0.hasPrefix("missed ") ? Int($0.dropFirst(7).prefix { $0 != "," }) : nil }
    let messages = events.compactMap { Int($0) }
    #expect(messages == messages.sorted() && messages.last == 99)
    #expect(told.count == 1 && messages.count + told.reduce(0, +) == 100, "\(events)")
  }
}
