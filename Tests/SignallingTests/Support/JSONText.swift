import JSON

/// JSON values as texts with sorted keys, and changes of single fields.
enum JSONText {
  /// Text of a value; of objects the keys are sorted.
  static func sorted(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .flag(let flag): "\(flag)"
    case .number(let number): "\(number)"
    case .text(let text):
      {
        var json = JSONWriter()
        json.value(text)
        return json.text
      }()
    case .array(let values): "[" + values.map(sorted).joined(separator: ",") + "]"
    case .object(let fields):
      "{"
        + fields.sorted { $0.key < $1.key }.map { sorted(.text($0.key)) + ":" + sorted($0.value) }.joined(
          separator: ",")
        + "}"
    }
  }

  /// Whether all that `part` has is in `whole` too.
  static func contains(_ whole: JSONValue, _ part: JSONValue) -> Bool {
    switch (whole, part) {
    case (.object(let whole), .object(let part)):
      part.allSatisfy { field in whole.contains { $0.key == field.key && contains($0.value, field.value) } }
    case (.array(let whole), .array(let part)): whole.count == part.count && zip(whole, part).allSatisfy(contains)
    default: sorted(whole) == sorted(part)
    }
  }

  /// Returns the value once for each field within, with `replacement` in its place, and the field's path.
  static func replacing(_ value: JSONValue, by replacement: JSONValue, path: String = "") -> [(String, JSONValue)] {
    var changes: [(String, JSONValue)] = []
    switch value {
    case .object(let fields):
      for (index, field) in fields.enumerated() {
        let name = path.isEmpty ? field.key : "\(path).\(field.key)"
        for change in [(name, replacement)] + replacing(field.value, by: replacement, path: name) {
          var fields = fields
          fields[index].value = change.1
          changes.append((change.0, JSONValue.object(fields)))
        }
      }
    case .array(let values):
      for (index, value) in values.enumerated() {
        let name = "\(path)[\(index)]"
        for change in [(name, replacement)] + replacing(value, by: replacement, path: name) {
          var values = values
          values[index] = change.1
          changes.append((change.0, JSONValue.array(values)))
        }
      }
    default: break
    }
    return changes
  }
}
