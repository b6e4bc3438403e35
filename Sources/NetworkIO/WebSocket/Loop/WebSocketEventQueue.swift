/// Events that wait for their consumer, in order for each connection. Connections take turns, so that one with many
/// messages does not hold up the others.
///
/// Thread: one at a time.
struct WebSocketEventQueue {
  /// Bytes that an event counts beside its message.
  private static let eventByteCount = 64

  private struct Waiting {
    var events: [WebSocketEvent] = []
    var nextIndex = 0
    var byteCount = 0
    /// Whether its connection is not read until half of the limit is free.
    var isPaused = false
  }

  /// Bytes of one connection above which it is not read.
  private let limit: Int
  private var connections: [ConnectionID: Waiting] = [:]
  /// Connections with events in the order of their turns, from `turn` on.
  private var rotation: [ConnectionID] = []
  private var turn = 0
  /// Bytes of all events.
  private(set) var byteCount = 0

  init(connectionByteCount limit: Int) { self.limit = limit }

  var isEmpty: Bool { turn == rotation.count }

  /// Appends an event.
  ///
  /// - Returns: false if its connection has reached its limit; `next` tells when it can be read again.
  mutating func append(_ event: WebSocketEvent) -> Bool {
    let id = event.connection
    let count = event.byteCount + Self.eventByteCount
    byteCount += count
    var waiting = connections.removeValue(forKey: id) ?? Waiting()
    if waiting.events.isEmpty { rotation.append(id) }
    waiting.events.append(event)
    waiting.byteCount += count
    waiting.isPaused = waiting.isPaused || waiting.byteCount > limit
    defer { connections[id] = waiting }
    return !waiting.isPaused
  }

  /// Removes the next event in the order of turns.
  ///
  /// - Returns: The event, and its connection if that can be read again; nil if no event waits.
  mutating func next() -> (event: WebSocketEvent, resumed: ConnectionID?)? {
    guard turn < rotation.count else { return nil }
    let id = rotation[turn]
    turn += 1
    if turn == rotation.count || turn > 1_024 {
      rotation.removeFirst(turn)
      turn = 0
    }
    guard var waiting = connections.removeValue(forKey: id) else { return nil }
    let event = waiting.events[waiting.nextIndex]
    let count = event.byteCount + Self.eventByteCount
    waiting.nextIndex += 1
    waiting.byteCount -= count
    byteCount -= count
    let isResumed = waiting.isPaused && waiting.byteCount <= limit / 2
    if isResumed { waiting.isPaused = false }
    if waiting.nextIndex < waiting.events.count {
      // Taken events go in blocks: the cost of an event does not depend on their number.
      if waiting.nextIndex >= 64 {
        waiting.events.removeFirst(waiting.nextIndex)
        waiting.nextIndex = 0
      }
      connections[id] = waiting
      rotation.append(id)
    }
    return (event, isResumed ? id : nil)
  }
}

extension WebSocketEvent {
  fileprivate var connection: ConnectionID {
    switch self {
    case .opened(let id, _), .message(let id, _), .closed(let id, _), .failed(let id, _): id
    }
  }

  fileprivate var byteCount: Int {
    if case .message(_, let bytes) = self { bytes.count } else { 0 }
  }
}
