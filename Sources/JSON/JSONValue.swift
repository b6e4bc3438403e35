import Platform

/// A JSON value as it stands in a document: keys in their order, without duplicates.
package enum JSONValue: Sendable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([(key: String, value: JSONValue)])

  /// Text of the value if it can be a name of a protocol, which is ASCII of at most 64 bytes; nil otherwise.
  package var name: String? {
    guard case .text(let text) = self, text.utf8.count <= 64, text.isASCII else { return nil }
    return text
  }

  /// Text of the value in a message, such as `a list`.
  package var kind: String {
    switch self {
    case .null: "null"
    case .flag(let flag): "\(flag)"
    case .number(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    case .text(let text): "the text \"\(text)\""
    case .array: "a list"
    case .object: "an object"
    }
  }
}
