import JSON

/// Request of a client for a sign of life.
public struct PingRequest: Hashable, Sendable, MessageContent {
  static let type = "ping"

  /// Id of the request, from 1 on.
  public let id: UInt32

  /// Creates a request.
  public init(id: UInt32) {
    self.id = id
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
  }
}
