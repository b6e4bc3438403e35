/// Number of a WebSocket connection, unique within its server or client.
public struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }

  public var description: String { "connection \(number)" }
}
