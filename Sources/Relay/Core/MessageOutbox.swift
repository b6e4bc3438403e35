/// Messages and orders to close, in the order in which they arose, for the shell.
struct MessageOutbox {
  private var messages: [(connection: UInt64, text: String)] = []
  private var head = 0
  private var closings: [(connection: UInt64, code: UInt16, reason: String)] = []

  mutating func append(_ text: String, to connection: UInt64) { messages.append((connection, text)) }

  mutating func close(_ connection: UInt64, code: UInt16, reason: String) {
    closings.append((connection, code, reason))
  }

  mutating func takeMessage() -> (connection: UInt64, text: String)? {
    guard head < messages.count else { return nil }
    let message = messages[head]
    head += 1
    if head == messages.count {
      messages.removeAll(keepingCapacity: messages.count < 1_024)
      head = 0
    }
    return message
  }

  mutating func takeClosing() -> (connection: UInt64, code: UInt16, reason: String)? {
    closings.isEmpty ? nil : closings.removeFirst()
  }
}
