import JSON
import Platform

/// Fields of a message, or of an object within it. Each method returns nil for an absent or null field, and throws for
/// a value of another type or range. Unknown fields are ignored.
struct MessageFields {
  /// Type of the message; `unknownType` for a text that is not the name of one.
  let type: String
  private static let unknownType = "unknown"
  /// Id of the request; nil without a valid one.
  let requestID: UInt32?
  /// Path of the object within the message, with a point at its end; empty for the message itself.
  private let path: String
  private let values: JSONFields

  /// Reads a message.
  init(reading text: String) throws(MessageError) {
    guard text.utf8.count <= MessageLimits.messageByteCount else {
      throw MessageError(
        "the message has \(text.utf8.count) bytes, and \(MessageLimits.messageByteCount) are allowed; send less at once"
      )
    }
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.read(text) } catch {
      throw MessageError(error.messageWithoutText)
    }
    guard case .object(let fields) = value else { throw MessageError("the message is not a JSON object; send one") }
    values = JSONFields(fields)
    path = ""
    if case .number(let number) = values["id"], let id = UInt32(exactly: number), id > 0 {
      requestID = id
    } else {
      requestID = nil
    }
    guard case .text = values["type"] else {
      throw MessageError("the message needs the field 'type' with a text", field: "type", requestID: requestID)
    }
    type = values["type"]?.name ?? Self.unknownType
  }

  private init(_ fields: [(key: String, value: JSONValue)], path: String, of message: MessageFields) {
    type = message.type
    requestID = message.requestID
    self.path = path
    values = JSONFields(fields)
  }

  // MARK: Values

  func flag(_ name: String) throws(MessageError) -> Bool? {
    guard let value = self[name] else { return nil }
    guard case .flag(let flag) = value else { throw error(name, "true or false") }
    return flag
  }

  func integer<Number: FixedWidthInteger>(
    _ name: String, in range: ClosedRange<Number>, code: ChannelErrorCode = .invalidArgument
  ) throws(MessageError) -> Number? {
    guard let value = self[name] else { return nil }
    guard case .number(let number) = value, let whole = Number(exactly: number), range.contains(whole) else {
      throw error(name, "a whole number of \(range.lowerBound)...\(range.upperBound)", code)
    }
    return whole
  }

  func text(_ name: String, bytes: ClosedRange<Int>) throws(MessageError) -> String? {
    guard let value = self[name] else { return nil }
    guard case .text(let text) = value, bytes.contains(text.utf8.count) else {
      throw error(name, "a text of \(bytes.lowerBound)...\(bytes.upperBound) bytes")
    }
    return text
  }

  func secret(_ name: String, bytes: ClosedRange<Int>) throws(MessageError) -> SecretText? {
    try text(name, bytes: bytes).map(SecretText.init)
  }

  /// Reads a text of ASCII that `make` accepts.
  func parsed<Value>(
    _ name: String, _ expected: String, _ code: ChannelErrorCode = .invalidArgument, _ make: (String) -> Value?
  ) throws(MessageError) -> Value? {
    guard let value = self[name] else { return nil }
    guard case .text(let text) = value, text.isASCII, let made = make(text) else { throw error(name, expected, code) }
    return made
  }

  func choice<Choice: NamedChoice>(_ name: String, of choices: Choice.Type = Choice.self) throws(MessageError)
    -> Choice?
  {
    let names = Choice.allCases.map(\.name).joined(separator: ", ")
    return try parsed(name, "one of \(names)") { text in Choice.allCases.first { $0.name == text } }
  }

  /// Reads a number of a fixed set. A newer relay may have more numbers: `unknown` stands for them.
  func number<Choice: RawRepresentable<Int>>(_ name: String, unknown: Choice) throws(MessageError) -> Choice? {
    try integer(name, in: Int(Int32.min)...Int(Int32.max)).map { Choice(rawValue: $0) ?? unknown }
  }

  // MARK: Objects

  func object(_ name: String) throws(MessageError) -> MessageFields? {
    guard let value = self[name] else { return nil }
    guard case .object(let fields) = value else { throw error(name, "an object") }
    return MessageFields(fields, path: "\(path)\(name).", of: self)
  }

  func objects(_ name: String, atMost count: Int) throws(MessageError) -> [MessageFields]? {
    guard let value = self[name] else { return nil }
    guard case .array(let values) = value, values.count <= count else {
      throw error(name, "a list of at most \(count) objects")
    }
    var objects: [MessageFields] = []
    for (index, value) in values.enumerated() {
      guard case .object(let fields) = value else { throw error("\(name)[\(index)]", "an object") }
      objects.append(MessageFields(fields, path: "\(path)\(name)[\(index)].", of: self))
    }
    return objects
  }

  func texts(_ name: String, atMost count: Int, bytes: ClosedRange<Int>) throws(MessageError) -> [String]? {
    guard let value = self[name] else { return nil }
    guard case .array(let values) = value, values.count <= count else {
      throw error(name, "a list of at most \(count) texts")
    }
    var texts: [String] = []
    for (index, value) in values.enumerated() {
      guard case .text(let text) = value, bytes.contains(text.utf8.count) else {
        throw error("\(name)[\(index)]", "a text of \(bytes.lowerBound)...\(bytes.upperBound) bytes")
      }
      texts.append(text)
    }
    return texts
  }

  // MARK: Presence

  /// Returns a field's value, which must be there.
  func require<Value>(_ name: String, _ value: Value?) throws(MessageError) -> Value {
    guard let value else { throw missing(name) }
    return value
  }

  /// Refuses the absence of a field, or of all of several.
  func missing(_ names: String...) -> MessageError {
    let places = names.map { "'\(path)\($0)'" }.joined(separator: " or ")
    return MessageError(
      "the message '\(type)' needs the field \(places); add it", field: path + names[0], requestID: requestID)
  }

  /// Refuses the value of a field, or its absence.
  func error(_ name: String, _ expected: String, _ code: ChannelErrorCode = .invalidArgument) -> MessageError {
    MessageError(
      "the field '\(path)\(name)' of the message '\(type)' must be \(expected)", code: code, field: path + name,
      requestID: requestID)
  }

  private subscript(_ name: String) -> JSONValue? {
    let value = values[name]
    if case .null? = value { return nil }
    return value
  }
}
