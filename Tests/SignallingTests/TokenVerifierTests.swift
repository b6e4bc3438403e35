import Cryptography
import Signalling
import TestSupport
import Testing

@Suite("Verifying tokens", .timeLimit(.minutes(10)))
struct TokenVerifierTests {
  /// The example of RFC 7515, appendix A.1: a signature that is right, and claims without an app.
  @Test("the signature of RFC 7515's example is accepted, and no other", .shows("C20"))
  func example() throws {
    let key = try #require(
      Base64URL.decode("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"))
    let text =
      "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvb"
      + "S9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    let verifier = TokenVerifier(try TokenSecret(keyID: "k", bytes: key.span))
    guard case .claim("app", _) = refusal(text, verifier) else { throw Unexpected() }
    #expect(refusal(text, try Forge.verifier()) == .signature)
  }

  @Test("claims of a valid token are returned")
  func valid() throws {
    let token = try Forge.verifier().verify(Forge.token(), app: Forge.app, now: Forge.now)
    let expected = try Token(
      app: Forge.app, scope: .channel(ChannelName("lobby")!), user: .uid(7), role: .broadcaster,
      notBefore: 1_799_999_000, expires: 1_800_001_000, id: "a1")
    #expect(token == expected)
    #expect(token.rights == [.publish, .subscribe, .data])
  }

  @Test(
    "extra claims, escapes and other forms of numbers are accepted",
    arguments: [
      (#""uid":7"#, #""uid":7.0"#), (#""exp":1800001000"#, #""exp":1.800001e9,"iss":"x","aud":["y"],"iat":null"#),
      (#""exp":1800001000"#, #""exp":1800001000.9"#), (#""channel""#, #""\u0063hannel""#),
      (#""lobby""#, #""l\u006fbby""#),
      (#""nbf":1799999000,"#, ""),
    ])
  func tolerance(old: String, new: String) throws {
    let text = Forge.token(claims: Forge.claims(old, new))
    let token = try Forge.verifier().verify(text, app: Forge.app, now: Forge.now)
    #expect(token.user == .uid(7) && token.expires == 1_800_001_000 && token.scope == .channel(ChannelName("lobby")!))
  }

  @Test(
    "another algorithm than HS256 is refused",
    arguments: [
      #"{"alg":"none"}"#, #"{"alg":"HS512"}"#, #"{"alg":"RS256"}"#, #"{"alg":"hs256"}"#, #"{"alg":["HS256"]}"#, "{}",
      #"{"alg":null}"#,
    ])
  func algorithms(header: String) throws {
    #expect(refusal(Forge.token(header: header), try Forge.verifier()) == .algorithm)
    let unsigned = Forge.encode(header) + "." + Forge.encode(Forge.claims) + "."
    #expect(refusal(unsigned, try Forge.verifier()) == .algorithm)
  }

  @Test("a header that demands an extension is refused")
  func extensions() throws {
    let text = Forge.token(header: #"{"alg":"HS256","crit":["b64"],"b64":false}"#)
    #expect(refusal(text, try Forge.verifier()) == .criticalExtension)
  }

  @Test(
    "a claim of another form is refused with its name and number",
    arguments: [
      (#""app":"demo","#, "", "app", -110), (#""demo""#, "5", "app", -110), (#""demo""#, #""""#, "app", -110),
      (#""exp":1800001000,"#, "", "exp", -110), (#""exp":1800001000"#, #""exp":"1800001000""#, "exp", -110),
      (#""exp":1800001000"#, #""exp":1e300"#, "exp", -110), (#""exp":1800001000"#, #""exp":-1"#, "exp", -110),
      (#""nbf":1799999000"#, #""nbf":true"#, "nbf", -110), (#""a1""#, "1", "jti", -110),
      (#""broadcaster""#, #""host""#, "role", -110), (#""role":"broadcaster","#, "", "role", -110),
      (#""jti":"a1""#, #""rights":"publish""#, "rights", -110),
      (#""jti":"a1""#, #""rights":["publsh"]"#, "rights", -110),
      (#""jti":"a1""#, #""rights":[1]"#, "rights", -110), (#""jti":"a1""#, #""rights":["relay:"]"#, "rights", -110),
      (#""lobby""#, #""""#, "channel", -102), (#""lobby""#, #""l\"y""#, "channel", -102),
      (#""lobby""#, "1", "channel", -102),
      (#""uid":7,"#, "", "uid", -121), (#""uid":7"#, #""uid":-1"#, "uid", -121),
      (#""uid":7"#, #""uid":4294967296"#, "uid", -121), (#""uid":7"#, #""uid":1.5"#, "uid", -121),
      (#""uid":7"#, #""uid":"7""#, "uid", -121), (#""uid":7"#, #""uid":7,"account":"ann""#, "uid", -121),
      (#""uid":7"#, #""account":"""#, "account", -121), (#""lobby","uid":7"#, #""*","uid":0"#, "uid", -110),
    ])
  func claims(old: String, new: String, name: String, code: Int) throws {
    let error = refusal(Forge.token(claims: Forge.claims(old, new)), try Forge.verifier())
    #expect(error?.code.rawValue == code)
    #expect(error?.description.contains(name) == true, "\(String(describing: error))")
  }

  @Test("a token is valid from its first second until the one before its end", .shows("C12", "C20"))
  func times() throws {
    let (verifier, text) = (try Forge.verifier(), Forge.token())
    #expect(refusal(text, verifier, now: 1_799_998_999) == .notYetValid(from: 1_799_999_000, now: 1_799_998_999))
    #expect(refusal(text, verifier, now: 1_799_999_000) == nil)
    #expect(refusal(text, verifier, now: 1_800_000_999) == nil)
    let expired = try #require(refusal(text, verifier, now: 1_800_001_000))
    #expect(expired == .expired(at: 1_800_001_000, now: 1_800_001_000))
    #expect(expired.code.rawValue == -109 && expired.reason.rawValue == 9)
    #expect(TokenError.notYetValid(from: 2, now: 1).code.rawValue == -110)
  }

  @Test("a token of another app is refused", .shows("C16"))
  func otherApp() throws {
    let error = refusal(Forge.token(), try Forge.verifier(), app: AppID("other")!)
    #expect(error == .otherApp && error?.code.rawValue == -110 && error?.reason == .invalidAppID)
    #expect(try TokenVerifier.claimedApp(in: Forge.token()) == Forge.app)
  }

  @Test("a token is signed with one of two secrets, or refused")
  func secrets() throws {
    let other = "another secret of the app"
    let both = TokenVerifier(try Forge.secret(), try Forge.secret(other, keyID: "k2"))
    func header(_ keyID: String) -> String { #"{"alg":"HS256","kid":\#(keyID)}"# }
    #expect(refusal(Forge.token(), both) == nil)
    #expect(refusal(Forge.token(key: other), both) == nil)
    #expect(refusal(Forge.token(header: header(#""k2""#), key: other), both) == nil)
    #expect(refusal(Forge.token(header: header(#""k1""#), key: other), both) == .signature)
    #expect(refusal(Forge.token(header: header(#""k3""#)), both) == .unknownKeyID)
    #expect(refusal(Forge.token(header: header("1")), both) == .unknownKeyID)
    #expect(refusal(Forge.token(key: "a wrong secret of 24 bytes"), both) == .signature)
    #expect(refusal(Forge.token(key: other), try Forge.verifier()) == .signature)
  }

  @Test("a token with any bit flipped is refused", arguments: [Forge.header, #"{"alg":"HS256","kid":"k1"}"#])
  func flips(header: String) throws {
    let (verifier, bytes) = (try Forge.verifier(), Array(Forge.token(header: header).utf8))
    #expect(refusal(String(decoding: bytes, as: UTF8.self), verifier) == nil)
    for index in bytes.indices {
      for bit in 0..<8 {
        var flipped = bytes
        flipped[index] ^= 1 << bit
        let error = refusal(String(decoding: flipped, as: UTF8.self), verifier)
        #expect(error?.code.rawValue == -110, "bit \(bit) of byte \(index)")
      }
    }
  }

  @Test("a truncated token is refused at every length")
  func truncation() throws {
    let (verifier, text) = (try Forge.verifier(), Forge.token())
    for count in 0..<text.utf8.count {
      #expect(refusal(String(text.prefix(count)), verifier)?.code.rawValue == -110, "\(count) bytes")
    }
    #expect(refusal(text + ".", verifier) == .parts)
    #expect(refusal(text + "=", verifier) == .malformed(.signature))
    #expect(refusal(" " + text, verifier) == .malformed(.header))
  }

  @Test("a token of 4 KiB is read, and a longer one is refused")
  func size() throws {
    let verifier = try Forge.verifier()
    let count = Forge.token(claims: Forge.claims("{", #"{"x":"","#)).utf8.count
    let filler = String(repeating: "x", count: (4_096 - count) / 4 * 3)
    let largest = Forge.token(claims: Forge.claims("{", #"{"x":"\#(filler)","#))
    #expect((4_093...4_096).contains(largest.utf8.count))
    #expect(refusal(largest, verifier) == nil)
    let larger = Forge.token(claims: Forge.claims("{", #"{"x":"\#(filler)xxxx","#))
    #expect(refusal(larger, verifier) == .tooLong(byteCount: larger.utf8.count))
  }

  @Test(
    "claims that are not an object without duplicate keys are refused",
    arguments: [
      "", "[]", "7", "{", #"{"app":"demo","app":"demo"}"#, #"{"a":1e999}"#, String(repeating: "[", count: 2_000),
    ])
  func malformed(claims: String) throws {
    #expect(refusal(Forge.token(claims: claims), try Forge.verifier()) == .malformed(.claims))
    #expect(refusal(Forge.token(header: claims), try Forge.verifier()) == .malformed(.header))
  }

  private func refusal(
    _ text: String, _ verifier: TokenVerifier, app: AppID = Forge.app, now: Int64 = Forge.now
  ) -> TokenError? {
    do throws(TokenError) {
      _ = try verifier.verify(text, app: app, now: now)
      return nil
    } catch {
      // No refusal repeats the token.
      #expect(!error.description.contains("eyJ"))
      return error
    }
  }

  private struct Unexpected: Error {}
}
