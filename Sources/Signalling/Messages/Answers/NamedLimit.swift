import JSON

/// Limit of a relay, with its name and value.
public struct NamedLimit: Hashable, Sendable {
  /// Name of the limit.
  public let name: String
  /// Value of the limit.
  public let value: Int64
  /// Setting that raises the limit, such as an option of the relay; nil for a fixed limit.
  public let setting: String?

  /// Creates a limit.
  public init(name: String, value: Int64, setting: String? = nil) {
    self.name = name
    self.value = value
    self.setting = setting
  }

  init(_ fields: MessageFields) throws(MessageError) {
    name = try fields.require("name", fields.text("name", bytes: 1...MessageLimits.limitTextByteCount))
    value = try fields.require("value", fields.integer("value", in: MessageLimits.limitValue))
    setting = try fields.text("setting", bytes: 1...MessageLimits.limitTextByteCount)
  }

  func write(to json: inout JSONWriter) {
    json.field("name", name)
    json.field("value", Int(value))
    json.optional("setting", setting)
  }
}
