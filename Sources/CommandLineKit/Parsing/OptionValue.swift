/// A value after the check against its `ValueKind`.
package enum OptionValue: Hashable, Sendable {
  case flag
  /// Text, a path, or one of several words.
  case text(String)
  case integer(Int)
  case number(Double)
  case list([String])
  case keyed(KeyedValue)
}

/// A head and its keys.
package struct KeyedValue: Hashable, Sendable {
  package let head: String
  package let values: [String: OptionValue]

  /// Returns the head of a kind that begins with a number; its unit may follow the number.
  package func headNumber(unit: String) -> Double {
    Double(head.hasSuffix(unit) ? head.dropLast(unit.count) : head[...])!
  }

  /// Returns the whole number at `key`; nil if the key was not given.
  package func integer(_ key: String) -> Int? {
    if case .integer(let value) = values[key] { value } else { nil }
  }

  /// Returns the number at `key`; nil if the key was not given.
  package func number(_ key: String) -> Double? {
    if case .number(let value) = values[key] { value } else { nil }
  }

  /// Returns the word at `key`; nil if the key was not given.
  package func text(_ key: String) -> String? {
    if case .text(let value) = values[key] { value } else { nil }
  }

  /// Returns whether a key without a value was given.
  package func flag(_ key: String) -> Bool { values[key] == .flag }
}
