/// A value after it was checked against its `ValueKind`.
package enum OptionValue: Hashable, Sendable {
  case flag
  /// Text, a path, or one of several words.
  case text(String)
  case integer(Int)
  case number(Double)
  case list([String])
  case keyed(KeyedValue)
}

/// A head and the keys that were given with it.
package struct KeyedValue: Hashable, Sendable {
  package let head: String
  package let values: [String: OptionValue]

  /// The head of a kind that begins with a number, whose unit may be written behind it.
  package func headNumber(unit: String) -> Double {
    Double(head.hasSuffix(unit) ? head.dropLast(unit.count) : head[...])!
  }

  /// The whole number at `key`, nil where the key was not given.
  package func integer(_ key: String) -> Int? {
    if case .integer(let value) = values[key] { value } else { nil }
  }

  /// The number at `key`, nil where the key was not given.
  package func number(_ key: String) -> Double? {
    if case .number(let value) = values[key] { value } else { nil }
  }

  /// The word at `key`, nil where the key was not given.
  package func text(_ key: String) -> String? {
    if case .text(let value) = values[key] { value } else { nil }
  }

  /// True where a key without a value was given.
  package func flag(_ key: String) -> Bool { values[key] == .flag }
}
