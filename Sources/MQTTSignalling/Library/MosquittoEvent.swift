/// Report of the library about a connection.
enum MosquittoEvent {
  /// Payload of a received message.
  enum Payload {
    case bytes([UInt8])
    /// More bytes than a message may have; they were not copied.
    case tooLong(count: Int)
  }

  /// The broker has answered CONNECT; 0 is success.
  case connected(code: Int, receiveMaximum: Int)
  /// The broker has answered SUBSCRIBE; from 128 on a refusal.
  case subscribed(code: Int)
  /// The broker has answered PUBLISH.
  case published(identifier: Int32, code: Int)
  case received(topic: String, payload: Payload, isRetained: Bool)
  /// The broker ends the connection.
  case disconnected(code: Int)
}
