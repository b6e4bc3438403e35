import Cryptography
import TestSupport
import Testing

@testable import Signalling

@Suite("Cost of hostile text", .timeLimit(.minutes(10)))
struct TextCostTests {
  private static let entries: [(name: String, byteCount: Int, message: @Sendable (String) -> String)] = [
    ("a key", 65_000, { "{\"type\":\"ping\",\"id\":1,\"\($0)\":1}" }),
    ("two keys", 64_800, { "{\"type\":\"ping\",\"id\":1,\"\($0.half)a\":1,\"\($0.half)b\":1}" }),
    ("a repeated key", 64_800, { "{\"\($0.half)\":1,\"\($0.half)\":1}" }),
    (
      "a key of an object", 64_000,
      { "{\"type\":\"join\",\"id\":1,\"channel\":\"a\",\"uid\":1,\"media\":{\"\($0)\":1}}" }
    ),
    ("the type", 65_000, { "{\"type\":\"\($0)\",\"id\":1}" }),
    ("an app", 65_000, { "{\"type\":\"hello\",\"id\":1,\"app\":\"\($0)\"}" }),
    ("a token", 65_000, { "{\"type\":\"hello\",\"id\":1,\"token\":\"\($0)\"}" }),
    ("a channel", 65_000, { "{\"type\":\"join\",\"id\":1,\"channel\":\"\($0)\",\"uid\":1}" }),
    ("an account", 65_000, { "{\"type\":\"join\",\"id\":1,\"channel\":\"a\",\"account\":\"\($0)\"}" }),
    ("a role", 65_000, { "{\"type\":\"update\",\"id\":1,\"channel\":\"a\",\"role\":\"\($0)\"}" }),
    (
      "a fingerprint", 64_000,
      { text in
        "{\"type\":\"join\",\"id\":1,\"channel\":\"a\",\"uid\":1,\"media\":{\"transport\":{\"ufrag\":\"abcd\","
          + "\"password\":\"0123456789012345678901\",\"fingerprint\":\"\(text)\"}}}"
      }
    ),
    ("a body", 16_000, { "{\"type\":\"message\",\"id\":1,\"to\":{\"uid\":2},\"body\":\"\($0)\"}" }),
  ]

  @Test("disordered marks in a message cost at most 10 times ASCII", .shows("hostile text"), arguments: entries.indices)
  func messages(index: Int) {
    let (name, byteCount, message) = Self.entries[index]
    let plain = message(String(repeating: "a", count: byteCount))
    let hostile = message(disorderedMarks(byteCount: byteCount))
    #expect(hostile.utf8.count <= MessageLimits.messageByteCount)
    let usual = threadNanoseconds { _ = try? ClientMessage(reading: plain) }
    let cost = threadNanoseconds { _ = try? ClientMessage(reading: hostile) }
    // A floor, below which the clock decides.
    #expect(cost < 10 * max(usual, 1_000_000), "\(name): \(cost) ns, ASCII \(usual) ns")
  }

  @Test(
    "disordered marks in a token cost at most 10 times ASCII", .shows("hostile text"),
    arguments: ["header", "app", "channel", "account", "role", "rights", "key", "kid", "text"])
  func tokens(place: String) throws {
    let app = try #require(AppID("demo"))
    let verifier = TokenVerifier(try TokenSecret(keyID: "1", bytes: Array(repeating: 7, count: 32).span))
    func verify(_ text: String) -> Int {
      threadNanoseconds { for _ in 0..<10 { _ = try? verifier.verify(text, app: app, now: 0) } }
    }
    let usual = verify(Self.token(String(repeating: "a", count: 2_700), at: place))
    let cost = verify(Self.token(disorderedMarks(byteCount: 2_700), at: place))
    #expect(cost < 10 * max(usual, 1_000_000), "\(place): \(cost) ns, ASCII \(usual) ns")
  }

  /// A token with a valid signature and a text at one place.
  private static func token(_ text: String, at place: String) -> String {
    if place == "text" { return text + "." + text }
    var header = "{\"alg\":\"HS256\"}"
    if place == "header" { header = "{\"alg\":\"\(text)\"}" }
    if place == "kid" { header = "{\"alg\":\"HS256\",\"kid\":\"\(text)\"}" }
    func claim(_ name: String, _ value: String) -> String { "\"\(name)\":\"\(name == place ? text : value)\"" }
    let user = place == "account" ? claim("account", "") : "\"uid\":1"
    let rights = place == "rights" ? "[\"\(text)\"]" : "[\"publish\"]"
    let key = place == "key" ? text : "other"
    let claims =
      "{\(claim("app", "demo")),\(claim("channel", "lobby")),\(user),\(claim("role", "audience")),"
      + "\"exp\":9,\"rights\":\(rights),\"\(key)\":1}"
    let signed = Base64URL.encode(Array(header.utf8).span) + "." + Base64URL.encode(Array(claims.utf8).span)
    let code = MessageDigest.sha256.authenticationCode(
      of: Array(signed.utf8).span, key: [UInt8](repeating: 7, count: 32).span)
    return signed + "." + Base64URL.encode(code.span)
  }

  @Test("text of a document is not in the error of a message")
  func quoted() {
    for text in [
      "{\"eyJhbGciOiJIUzI1NiJ9.secret\" 1}", "{\"eyJhbGciOiJIUzI1NiJ9.secret\":1,\"eyJhbGciOiJIUzI1NiJ9.secret\":1}",
      "{\"id\":01234567}",
    ] {
      let error = #expect(throws: MessageError.self) { try ClientMessage(reading: text) }
      #expect(error?.description.contains("secret") == false)
      #expect(error?.description.contains("1234567") == false)
      #expect(error?.description.contains("line 1") == true)
    }
  }

  @Test("an end in milliseconds is refused by name")
  func milliseconds() throws {
    let app = try #require(AppID("demo"))
    let verifier = TokenVerifier(try TokenSecret(keyID: "1", bytes: Array(repeating: 7, count: 32).span))
    let claims =
      "{\"app\":\"demo\",\"channel\":\"lobby\",\"uid\":1,\"role\":\"audience\",\"exp\":1764000000000}"
    let signed =
      Base64URL.encode(Array("{\"alg\":\"HS256\"}".utf8).span) + "." + Base64URL.encode(Array(claims.utf8).span)
    let code = MessageDigest.sha256.authenticationCode(
      of: Array(signed.utf8).span, key: [UInt8](repeating: 7, count: 32).span)
    let error = #expect(throws: TokenError.self) {
      try verifier.verify(signed + "." + Base64URL.encode(code.span), app: app, now: 1_764_000_000)
    }
    #expect(error?.description.contains("'exp'") == true)
    #expect(error?.description.contains("milliseconds") == true)
  }
}

extension String {
  fileprivate var half: String { String(String.UnicodeScalarView(unicodeScalars.prefix(unicodeScalars.count / 2))) }
}
