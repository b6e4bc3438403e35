/// A value after it was checked against its `ValueKind`.
enum OptionValue: Hashable, Sendable {
  case flag
  /// Text, a path, or one of several words.
  case text(String)
  case integer(Int)
  case number(Double)
  case list([String])
  case keyed(KeyedValue)
}

/// A head and the keys that were given with it.
struct KeyedValue: Hashable, Sendable {
  let head: String
  let values: [String: OptionValue]

  /// The head of a kind that begins with a number, whose unit may be written behind it.
  func headNumber(unit: String) -> Double {
    Double(head.hasSuffix(unit) ? head.dropLast(unit.count) : head[...])!
  }

  /// The whole number at `key`, nil where the key was not given.
  func integer(_ key: String) -> Int? {
    if case .integer(let value) = values[key] { value } else { nil }
  }

  /// The number at `key`, nil where the key was not given.
  func number(_ key: String) -> Double? {
    if case .number(let value) = values[key] { value } else { nil }
  }

  /// The word at `key`, nil where the key was not given.
  func text(_ key: String) -> String? {
    if case .text(let value) = values[key] { value } else { nil }
  }

  /// True where a key without a value was given.
  func flag(_ key: String) -> Bool { values[key] == .flag }
}
