import Foundation
import Testing

@testable import JSON

@Suite("JSONWriter", .timeLimit(.minutes(10)))
struct JSONWriterTests {
  private func text(_ body: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    body(&json)
    return json.text
  }

  @Test("objects and arrays nest, keys keep their order")
  func nesting() {
    let text = text { json in
      json.object { json in
        json.field("z", 1)
        json.array("a") { json in
          json.array { _ in }
          json.object { _ in }
          json.value("x")
          json.null()
          json.value(UInt64.max)
        }
        json.object("m") { json in json.field("flag", false) }
        json.field("last", "y")
      }
    }
    #expect(text == #"{"z":1,"a":[[],{},"x",null,18446744073709551615],"m":{"flag":false},"last":"y"}"#)
  }

  @Test(
    "every text reads back as it was written",
    arguments: [
      "", "\"\\/", "a\nb\r\tc", (0..<0x80).map { String(UnicodeScalar(UInt8($0))) }.joined(),
      "ä 漢 👩‍👩‍👧 \u{2028}", "\u{FFFD}",
    ])
  func strings(original: String) throws {
    let written = text { json in json.array { json in json.value(original) } }
    let read = try #require(try JSONSerialization.jsonObject(with: Data(written.utf8)) as? [String])
    #expect(read == [original])
    #expect(!written.utf8.contains { $0 < 0x20 })
  }

  @Test(
    "every finite number reads back as it was written",
    arguments: [
      0, -0.0, 1, -1, 0.1, 1e-5, 1e16, 1.7976931348623157e308, .leastNonzeroMagnitude, 3.141592653589793,
    ])
  func numbers(original: Double) throws {
    let written = text { json in json.array { json in json.value(original) } }
    #expect(try JSONDecoder().decode([Double].self, from: Data(written.utf8)) == [original])
  }

  @Test("NaN and infinities, which JSON does not have, are null")
  func notFinite() {
    for value in [Double.nan, .infinity, -.infinity] { #expect(text { $0.value(value) } == "null") }
    #expect(text { $0.value(.nan, decimals: 2) } == "null")
  }

  @Test(
    "decimals are rounded half away from zero, without -0",
    arguments: [
      (0.30000000000000004, 1, "0.3"), (-0.04, 1, "0.0"), (2.5, 0, "3.0"), (-23.4567, 2, "-23.46"),
      (1e20, 3, "1e+20"),
    ])
  func decimals(value: Double, decimals: Int, expected: String) {
    #expect(text { $0.value(value, decimals: decimals) } == expected)
  }

  @Test("the drained pieces together are the whole document")
  func draining() {
    var json = JSONWriter()
    var bytes: [UInt8] = []
    json.array { json in
      for index in 0..<1000 {
        json.value(index)
        bytes += json.drain()
      }
    }
    bytes += json.drain()
    #expect(
      String(decoding: bytes, as: UTF8.self) == "[" + (0..<1000).map(String.init).joined(separator: ",") + "]"
    )
    #expect(json.drain().isEmpty)
  }
}
