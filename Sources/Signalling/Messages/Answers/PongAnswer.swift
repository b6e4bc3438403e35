import JSON

/// Answer to `ping`.
public struct PongAnswer: Hashable, Sendable, MessageContent {
  static let type = "pong"

  /// Id of the request.
  public let id: UInt32
  /// Time by the relay's clock, in ms since 1970.
  public let time: Int64

  /// Creates an answer.
  public init(id: UInt32, time: Int64) {
    self.id = id
    self.time = time
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    time = try fields.require("time", fields.integer("time", in: MessageLimits.milliseconds))
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.field("time", Int(time))
  }
}
