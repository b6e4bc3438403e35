import JSON
import TestSupport
import Testing

/// Reading of JSON from outside, by the rules and examples of RFC 8259.
@Suite("Reading JSON", .timeLimit(.minutes(10)))
struct JSONReaderTests {
  /// The escapes of RFC 8259, section 7: G clef is U+1D11E.
  @Test(
    "escapes are those of RFC 8259",
    arguments: [
      (#""\u005C""#, "\\"), (#""\uD834\uDD1E""#, "\u{1D11E}"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
      (#""\u0000""#, "\0"), (#""ä\u00e4""#, "ää"),
    ])
  func escapes(document: String, expected: String) throws {
    guard case .text(let text) = try JSONReader.read(document) else { throw Unexpected() }
    #expect(text == expected)
  }

  @Test(
    "half characters, signs in escapes and raw line ends are refused",
    arguments: [
      #""\uD834""#, #""\uDD1E""#, #""\uD834\u0041""#, #""\u-000""#, #""\u+041""#, #""\u 041""#, #""\u004"#, #""\x""#,
      "\"\n\"", "\"",
    ])
  func badTexts(document: String) { #expect(throws: JSONError.self) { try JSONReader.read(document) } }

  @Test(
    "numbers have every form of RFC 8259",
    arguments: [
      ("0", 0), ("-0", 0), ("1.0e9", 1e9), ("1E+2", 100), ("-2.5e-1", -0.25),
      ("9007199254740991", 9_007_199_254_740_991),
    ])
  func numbers(document: String, expected: Double) throws {
    guard case .number(let number) = try JSONReader.read(document) else { throw Unexpected() }
    #expect(number == expected)
  }

  @Test(
    "other forms of numbers are refused",
    arguments: ["01", "+1", ".5", "1.", "1e", "--1", "1e999", "-1e999", "NaN", "Infinity", "0x10", "1 2"])
  func badNumbers(document: String) { #expect(throws: JSONError.self) { try JSONReader.read(document) } }

  @Test(
    "a key that stands there twice is refused",
    arguments: [#"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"x":{"b":1,"c":2,"b":3}}"#])
  func duplicates(document: String) { #expect(throws: JSONError.self) { try JSONReader.read(document) } }

  @Test("an object keeps the order of its keys")
  func order() throws {
    guard case .object(let fields) = try JSONReader.read(#"{"b":1,"a":{"b":2},"c":3}"#) else { throw Unexpected() }
    #expect(fields.map(\.key) == ["b", "a", "c"])
  }

  @Test(
    "bytes that are not UTF-8 are refused",
    arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED]])
  func encoding(bytes: [UInt8]) { #expect(throws: JSONError.self) { try JSONReader.read(bytes) } }

  @Test("nesting of 32 levels is read, and one more is refused", arguments: [("[", "]"), (#"{"a":"#, "}")])
  func nesting(open: String, close: String) throws {
    func document(_ depth: Int) -> String {
      String(repeating: open, count: depth) + (open == "[" ? "" : "1") + String(repeating: close, count: depth)
    }
    _ = try JSONReader.read(document(32))
    #expect(throws: JSONError.self) { try JSONReader.read(document(33)) }
    #expect(throws: JSONError.self) { try JSONReader.read(String(repeating: open, count: 100_000)) }
  }

  /// Comparing each key with every other one would take minutes.
  @Test("an object of 100,000 keys is read in the time of its bytes")
  func manyKeys() throws {
    let document = "{" + (0..<100_000).map { #""key\#($0)":0"# }.joined(separator: ",") + "}"
    guard case .object(let fields) = try JSONReader.read(document) else { throw Unexpected() }
    #expect(fields.count == 100_000)
  }

  private struct Unexpected: Error {}
}
