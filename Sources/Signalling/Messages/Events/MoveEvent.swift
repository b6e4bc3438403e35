import JSON

/// Request of a relay to continue at another relay, such as before its end.
public struct MoveEvent: Hashable, Sendable, MessageContent {
  static let type = "moveTo"

  /// Addresses, the best first; 1...`MessageLimits.relayCount` of at most `MessageLimits.relayByteCount` bytes.
  public let relays: [String]
  /// Time until the relay ends the session, in ms.
  public let milliseconds: Int64

  /// Creates a request.
  public init(relays: [String], milliseconds: Int64) {
    self.relays = relays
    self.milliseconds = milliseconds
  }

  init(_ fields: MessageFields) throws(MessageError) {
    relays = try fields.require(
      "relays", fields.texts("relays", atMost: MessageLimits.relayCount, bytes: 1...MessageLimits.relayByteCount))
    guard !relays.isEmpty else { throw fields.error("relays", "a list of at least one address") }
    milliseconds = try fields.require("milliseconds", fields.integer("milliseconds", in: MessageLimits.milliseconds))
  }

  func write(to json: inout JSONWriter) {
    json.array("relays") { json in
      for relay in relays { json.value(relay) }
    }
    json.field("milliseconds", Int(milliseconds))
  }
}
