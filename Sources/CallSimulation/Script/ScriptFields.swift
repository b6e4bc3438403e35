import JSON

/// The keys of one object of a script, with the messages for mistakes in them.
struct ScriptFields {
  let event: Int?
  private let fields: [String: JSONValue]
  private let order: [String]
  /// Kind of the value that is not an object; nil for an object.
  private let wrongKind: String?

  init(_ value: JSONValue, event: Int?) {
    self.event = event
    if case .object(let fields) = value {
      self.fields = Dictionary(uniqueKeysWithValues: fields.map { ($0.key, $0.value) })
      order = fields.map(\.key)
      wrongKind = nil
    } else {
      (fields, order, wrongKind) = ([:], [], value.kind)
    }
  }

  subscript(key: String) -> JSONValue? { fields[key] }

  func has(_ key: String) -> Bool { fields[key] != nil }

  /// Throws if the value is not an object, or has a key that is not among `keys`.
  func check(_ keys: [String], of name: String? = nil) throws(ScriptError) {
    if let wrongKind {
      throw error("an object with the keys \(keys.joined(separator: ", ")) is needed, not \(wrongKind)")
    }
    for key in order where !keys.contains(key) {
      throw ScriptError(
        "\(name.map { "'\($0)'" } ?? "the script") has no key '\(key)'", event: event, unknownWord: key,
        allowedWords: keys)
    }
  }

  func required<Value>(_ key: String, _ value: Value?) throws(ScriptError) -> Value {
    guard let value else { throw error("the key '\(key)' is missing") }
    return value
  }

  /// Returns a number; nil without the key.
  func number(_ key: String, in range: ClosedRange<Double>) throws(ScriptError) -> Double? {
    guard let value = fields[key] else { return nil }
    guard case .number(let number) = value, range.contains(number) else {
      throw error(
        "'\(key)' is a number from \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound)), not \(value.kind)"
      )
    }
    return number
  }

  func integer(_ key: String, in range: ClosedRange<Int>) throws(ScriptError) -> Int? {
    guard let value = fields[key] else { return nil }
    // Compared as numbers, because a number too large for an integer must not become one.
    guard case .number(let number) = value, number == number.rounded(),
      number >= Double(range.lowerBound), number <= Double(range.upperBound)
    else {
      throw error("'\(key)' is a whole number from \(range.lowerBound) to \(range.upperBound), not \(value.kind)")
    }
    return Int(number)
  }

  func text(_ key: String) throws(ScriptError) -> String? {
    guard let value = fields[key] else { return nil }
    guard case .text(let text) = value, !text.isEmpty else { throw error("'\(key)' is a text, not \(value.kind)") }
    return text
  }

  /// Returns an array of texts; nil without the key.
  func texts(_ key: String) throws(ScriptError) -> [String]? {
    guard let value = fields[key] else { return nil }
    guard case .array(let elements) = value else { throw error("'\(key)' is an array of texts, not \(value.kind)") }
    var texts: [String] = []
    for element in elements {
      guard case .text(let text) = element else { throw error("'\(key)' has texts, not \(element.kind)") }
      texts.append(text)
    }
    return texts
  }

  func flag(_ key: String) throws(ScriptError) -> Bool? {
    guard let value = fields[key] else { return nil }
    guard case .flag(let flag) = value else { throw error("'\(key)' is true or false, not \(value.kind)") }
    return flag
  }

  /// Returns a user's number; nil without the key.
  func user(_ key: String) throws(ScriptError) -> UInt32? {
    try integer(key, in: 0...Int(UInt32.max)).map { UInt32($0) }
  }

  func error(_ message: String) -> ScriptError { ScriptError(message, event: event) }

  private static func plain(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }
}
