/// A JSON value as it stands in a document: keys in their order, none of them twice.
package enum JSONValue: Sendable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([(key: String, value: JSONValue)])

  /// What a sentence calls it.
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
