import Platform

/// Reads one JSON document, strictly. Nothing is allocated from a number that the document gives.
///
/// Source: RFC 8259.
package struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  /// Largest nesting depth: deeper than any script, and shallow enough for any stack.
  private static let deepest = 32

  /// Reads the document in UTF-8.
  ///
  /// - Throws: The line and the fault there; bytes that are not UTF-8.
  package static func read(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw JSONError("this is not JSON: its bytes are not UTF-8")
    }
    return try read(text)
  }

  /// Reads the document in `text`.
  ///
  /// - Throws: The line and the fault there.
  package static func read(_ text: String) throws(JSONError) -> JSONValue {
    var reader = JSONReader(bytes: Array(text.utf8))
    let value = try reader.value()
    reader.skipSpace()
    guard reader.position == reader.bytes.count else { throw reader.error("something follows the end of the object") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func value() throws(JSONError) -> JSONValue {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .text(try string())
    case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return .number(try number())
    default:
      for (word, value) in [("true", JSONValue.flag(true)), ("false", .flag(false)), ("null", .null)]
      where bytes[position...].starts(with: word.utf8) {
        position += word.utf8.count
        return value
      }
      throw error(next == nil ? "the text ends too early" : "a value is missing")
    }
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    try enter()
    var fields: [(key: String, value: JSONValue)] = []
    // A comparison with every key before would take seconds for a document of ten thousand keys.
    var keys: Set<ByteText> = []
    if !take("}") {
      repeat {
        skipSpace()
        guard next == UInt8(ascii: "\"") else { throw error("a key in quotes is missing") }
        let key = try string()
        guard keys.insert(ByteText(key)).inserted else {
          throw error("the key '\(key)' stands there twice", withoutText: "a key stands there twice")
        }
        guard take(":") else {
          throw error("a colon is missing behind the key '\(key)'", withoutText: "a colon is missing behind a key")
        }
        fields.append((key, try value()))
      } while take(",")
      guard take("}") else { throw error("a comma or } is missing") }
    }
    depth -= 1
    return .object(fields)
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    try enter()
    var values: [JSONValue] = []
    if !take("]") {
      repeat { values.append(try value()) } while take(",")
      guard take("]") else { throw error("a comma or ] is missing") }
    }
    depth -= 1
    return .array(values)
  }

  private mutating func string() throws(JSONError) -> String {
    position += 1
    var result: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: result, as: UTF8.self)
      case UInt8(ascii: "\\"): result.append(contentsOf: String(try escape()).utf8)
      case 0..<0x20: throw error("a text goes over the end of its line")
      default: result.append(byte)
      }
    }
    throw error("a text has no end")
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    guard let byte = next else { throw error("a text has no end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let first = try hexadecimal()
      if let scalar = Unicode.Scalar(first) { return scalar }
      // Above U+FFFF an escape has two halves.
      guard first < 0xDC00, bytes[position...].starts(with: "\\u".utf8) else { throw error("half a character") }
      position += 2
      let second = try hexadecimal()
      guard (0xDC00...0xDFFF).contains(second) else { throw error("half a character") }
      return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))!
    default: throw error("\\\(Unicode.Scalar(byte)) is not a character")
    }
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    let digits = bytes[position..<min(bytes.count, position + 4)]
    let text = String(decoding: digits, as: UTF8.self)
    guard digits.count == 4, !text.hasPrefix("+"), !text.hasPrefix("-"), let value = UInt32(text, radix: 16) else {
      throw error("\\u needs four digits")
    }
    position += 4
    return value
  }

  private mutating func number() throws(JSONError) -> Double {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    let isZero = next == UInt8(ascii: "0")
    var isWhole = digits()
    if isZero, position - start > (bytes[start] == UInt8(ascii: "-") ? 2 : 1) { isWhole = false }
    if next == UInt8(ascii: ".") {
      position += 1
      isWhole = digits() && isWhole
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      isWhole = digits() && isWhole
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard isWhole, let value = Double(text), value.isFinite else {
      throw error("'\(text)' is not a number", withoutText: "a number is malformed")
    }
    return value
  }

  /// Passes over digits.
  ///
  /// - Returns: Whether there was at least one.
  private mutating func digits() -> Bool {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return position > start
  }

  private mutating func enter() throws(JSONError) {
    position += 1
    depth += 1
    if depth > Self.deepest { throw error("lists and objects lie too deep in one another") }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  private func error(_ what: String, withoutText: String? = nil) -> JSONError {
    let line = bytes[..<min(position, bytes.count)].count { $0 == 0x0A } + 1
    func sentence(_ what: String) -> String { "this is not JSON: \(what) in line \(line)" }
    return JSONError(sentence(what), withoutText: withoutText.map(sentence))
  }
}
