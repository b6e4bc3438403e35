import Platform
import Testing

@testable import NetworkIO

@Suite(.timeLimit(.minutes(10))) struct WebSocketEventQueueTests {
  private static func text(_ event: WebSocketEvent?) -> String {
    switch event {
    case .message(let id, let bytes): "\(id.number):\(String(decoding: bytes, as: UTF8.self))"
    case .closed(let id, _): "\(id.number):closed"
    default: "none"
    }
  }

  @Test("connections take turns, and each keeps its order")
  func turns() {
    var queue = WebSocketEventQueue(connectionByteCount: 1_000_000)
    for number in 0..<5 { _ = queue.append(.message(ConnectionID(1), Array("a\(number)".utf8))) }
    _ = queue.append(.message(ConnectionID(2), Array("b".utf8)))
    _ = queue.append(.closed(ConnectionID(2), 1000))
    _ = queue.append(.message(ConnectionID(3), Array("c".utf8)))
    var taken: [String] = []
    while let (event, _) = queue.next() { taken.append(Self.text(event)) }
    #expect(taken == ["1:a0", "2:b", "3:c", "1:a1", "2:closed", "1:a2", "1:a3", "1:a4"])
    #expect(queue.isEmpty)
    #expect(queue.byteCount == 0)
  }

  @Test("a message waits for at most one message of each other connection")
  func fair() {
    var queue = WebSocketEventQueue(connectionByteCount: 1_000_000_000)
    for number in 0..<2_000 { _ = queue.append(.message(ConnectionID(UInt64(number % 8)), [1])) }
    for _ in 0..<20 {
      _ = queue.append(.message(ConnectionID(99), [7]))
      var turns = 1
      while let (event, _) = queue.next(), case .message(let id, _) = event, id != ConnectionID(99) { turns += 1 }
      #expect(turns <= 9)
    }
    var count = 0
    while case .some = queue.next() { count += 1 }
    #expect(count + 20 * 8 >= 2_000)
    #expect(queue.byteCount == 0)
  }

  @Test("a connection above its limit is read again when half of it is free")
  func pauses() {
    var queue = WebSocketEventQueue(connectionByteCount: 10_000)
    let message = [UInt8](repeating: 1, count: 936)
    var accepted = 0
    while queue.append(.message(ConnectionID(1), message)) { accepted += 1 }
    #expect(accepted == 10)
    let goesOn = queue.append(.message(ConnectionID(2), message))
    #expect(goesOn)
    var resumed: [Int] = []
    var taken = 0
    while let (event, id) = queue.next() {
      if case .message(ConnectionID(1), _) = event { taken += 1 }
      if id == ConnectionID(1) { resumed.append(taken) }
    }
    #expect(taken == 11)
    #expect(resumed == [6])
  }
}
