import Platform

/// Writes one JSON value, with keys in the order of the calls.
///
/// A long document is drained now and then, by the caller or by itself, so that memory does not grow with it. Nesting
/// that does not close, or a value without a key inside an object, is a mistake in the program, and traps.
///
/// Source: RFC 8259.
package struct JSONWriter: Sendable {
  private enum Scope { case object, array }

  private var bytes: [UInt8] = []
  private var scopes: [Scope] = []
  private var isFirst = true
  private var hasKey = false
  private var isComplete = false

  /// Receiver of the bytes of a document that drains itself; nil if it does not.
  private let takeBytes: (@Sendable ([UInt8]) -> Void)?
  private static let drainedAt = 65_536

  /// Creates a writer without a value.
  ///
  /// - Parameter takeBytes: Receiver of the document's bytes, some thousands at a time; nil to keep the bytes.
  package init(drainingTo takeBytes: (@Sendable ([UInt8]) -> Void)? = nil) { self.takeBytes = takeBytes }

  /// The document so far, without the drained bytes.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the bytes since the last call and drops them; the results of all calls together are the document.
  package mutating func drain() -> [UInt8] {
    let taken = bytes
    bytes.removeAll(keepingCapacity: true)
    return taken
  }

  // MARK: Values

  package mutating func value(_ text: String) {
    begin()
    write(quoted: text)
    end()
  }

  package mutating func value(_ number: Int) { raw(String(number)) }
  package mutating func value(_ number: UInt64) { raw(String(number)) }
  package mutating func value(_ flag: Bool) { raw(flag ? "true" : "false") }
  package mutating func null() { raw("null") }

  /// Writes the shortest digits that read back as the same number, or as the number rounded to `decimals` digits behind
  /// the point (0...9). Writes null for NaN and infinities, which JSON does not have.
  package mutating func value(_ number: Double, decimals: Int? = nil) {
    guard number.isFinite else { return null() }
    guard let decimals, abs(number) < 1e15 else { return raw(String(number)) }
    raw(Self.fixed(number, decimals))
  }

  // MARK: Containers

  package mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
    open(.object, "{")
    try body(&self)
    close(.object, "}")
  }

  package mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
    open(.array, "[")
    try body(&self)
    close(.array, "]")
  }

  // MARK: Fields of an object

  /// Writes a key for the next value.
  package mutating func key(_ name: String) {
    precondition(scopes.last == .object && !hasKey, "a key outside an object")
    separate()
    write(quoted: name)
    bytes.append(UInt8(ascii: ":"))
    hasKey = true
  }

  package mutating func field(_ name: String, _ text: String) {
    key(name)
    value(text)
  }

  package mutating func field(_ name: String, _ number: Int) {
    key(name)
    value(number)
  }

  package mutating func field(_ name: String, _ number: UInt32) {
    key(name)
    value(UInt64(number))
  }

  package mutating func field(_ name: String, _ flag: Bool) {
    key(name)
    value(flag)
  }

  package mutating func field(_ name: String, _ number: Double, decimals: Int? = nil) {
    key(name)
    value(number, decimals: decimals)
  }

  /// Writes an object at a key.
  package mutating func object(_ name: String, _ body: (inout JSONWriter) throws -> Void) rethrows {
    key(name)
    try object(body)
  }

  /// Writes an array at a key.
  package mutating func array(_ name: String, _ body: (inout JSONWriter) throws -> Void) rethrows {
    key(name)
    try array(body)
  }

  /// Returns a number's digits as in a document, rounded to `decimals` digits behind the point (0...9).
  package static func digits(_ number: Double, _ decimals: Int) -> String {
    var json = JSONWriter()
    json.value(number, decimals: decimals)
    return json.text
  }

  // MARK: Private

  private mutating func raw(_ text: String) {
    begin()
    bytes.append(contentsOf: text.utf8)
    end()
  }

  private mutating func begin() {
    precondition(!isComplete, "a second value behind the document")
    if scopes.last == .object {
      precondition(hasKey, "a value without a key")
      hasKey = false
    } else {
      separate()
    }
  }

  private mutating func end() { isComplete = scopes.isEmpty }

  private mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
  }

  private mutating func open(_ scope: Scope, _ character: Unicode.Scalar) {
    begin()
    bytes.append(UInt8(ascii: character))
    scopes.append(scope)
    isFirst = true
  }

  private mutating func close(_ scope: Scope, _ character: Unicode.Scalar) {
    precondition(scopes.last == scope && !hasKey, "a container that does not close")
    scopes.removeLast()
    bytes.append(UInt8(ascii: character))
    isFirst = false
    end()
    if let takeBytes, bytes.count >= Self.drainedAt || isComplete { takeBytes(drain()) }
  }

  private mutating func write(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    // Characters beyond ASCII that command a terminal begin with C2 or E2.
    if text.utf8.contains(where: { $0 == 0xC2 || $0 == 0xE2 }) {
      for scalar in text.unicodeScalars {
        if scalar.value > 0x7F, scalar.commandsTerminal {
          write(escaped: scalar.value)
        } else {
          write(plain: String(scalar))
        }
      }
    } else {
      write(plain: text)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func write(plain text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x0D: bytes.append(contentsOf: "\\r".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0..<0x20, 0x7F: write(escaped: UInt32(byte))
      default: bytes.append(byte)
      }
    }
  }

  private mutating func write(escaped value: UInt32) {
    let digits = String(value, radix: 16)
    bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8)
  }

  /// Returns decimal digits without trailing zeros, and never `-0`.
  private static func fixed(_ number: Double, _ decimals: Int) -> String {
    precondition((0...9).contains(decimals), "decimals out of range")
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (number * scale).rounded(.toNearestOrAwayFromZero)
    // Too large to have digits to cut: 2^53.
    guard abs(scaled) < 9_007_199_254_740_992 else { return String(number) }
    return scaled == 0 ? "0.0" : String(scaled / scale)
  }
}
