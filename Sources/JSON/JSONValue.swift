/// A JSON value as it stands in a document: keys in their order, without duplicates.
package enum JSONValue: Sendable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([(key: String, value: JSONValue)])

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
