/// Messages that wait for the connection, and messages that wait for the broker's answer.
///
///     append ──> waiting ──next──> sent(as:) ──> in flight ──answer──> completion
///                   └── overdue            unanswered ──┘
struct OutgoingQueue {
  private struct InFlight {
    let message: OutgoingMessage
    let deadlineNanoseconds: Int
  }

  private var waiting: [OutgoingMessage] = []
  private var inFlight: [Int32: InFlight] = [:]

  var waitingCount: Int { waiting.count }
  var inFlightCount: Int { inFlight.count }

  /// Earliest end of a wait; nil without one.
  var nextDeadlineNanoseconds: Int? {
    let first = waiting.lazy.map(\.deadlineNanoseconds).min()
    let second = inFlight.values.lazy.map(\.deadlineNanoseconds).min()
    return [first, second].compactMap(\.self).min()
  }

  mutating func append(_ message: OutgoingMessage) { waiting.append(message) }

  /// Takes the next message to publish; nil without one.
  mutating func next() -> OutgoingMessage? { waiting.isEmpty ? nil : waiting.removeFirst() }

  /// Keeps a published message until its answer.
  mutating func sent(_ message: OutgoingMessage, as identifier: Int32, nowNanoseconds now: Int) {
    inFlight[identifier] = InFlight(
      message: message, deadlineNanoseconds: now + OutgoingMessage.limitNanoseconds)
  }

  /// Takes the message that an answer is for; nil for an unknown one.
  mutating func answered(_ identifier: Int32) -> OutgoingMessage? { inFlight.removeValue(forKey: identifier)?.message }

  /// Takes the messages that have waited too long for the connection.
  mutating func overdue(nowNanoseconds now: Int) -> [OutgoingMessage] {
    defer { waiting.removeAll { $0.deadlineNanoseconds <= now } }
    return waiting.filter { $0.deadlineNanoseconds <= now }
  }

  /// Whether a published message has waited too long for its answer.
  func isAnswerOverdue(nowNanoseconds now: Int) -> Bool { inFlight.values.contains { $0.deadlineNanoseconds <= now } }

  /// Takes every published message.
  mutating func takeInFlight() -> [OutgoingMessage] {
    defer { inFlight.removeAll() }
    return inFlight.sorted { $0.key < $1.key }.map(\.value.message)
  }

  /// Takes every message.
  mutating func takeAll() -> [OutgoingMessage] {
    defer { waiting.removeAll() }
    return takeInFlight() + waiting
  }
}
