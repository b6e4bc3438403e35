import Cryptography
import Signalling

/// Feeds any bytes to the verifier of tokens, as a token and as the claims of a signed token.
///
/// A verifier may refuse them, and must neither crash nor read beyond them. An accepted token is signed and verified
/// again, with equal claims.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzToken(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  let text = String(decoding: bytes, as: UTF8.self)
  let app = AppID("demo")!
  let key = Array("0123456789abcdef".utf8)
  let secret = try! TokenSecret(keyID: "k", bytes: key.span)
  let verifier = TokenVerifier(secret)
  let signer = TokenSigner(secret)
  _ = try? TokenVerifier.claimedApp(in: text)
  // No input has the code of this key, but for those that the fuzzer makes out of signed seeds.
  check(text)

  let header = Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8).span)
  let signed = header + "." + Base64URL.encode(bytes.span)
  let code = MessageDigest.sha256.authenticationCode(of: Array(signed.utf8).span, key: key.span)
  check(signed + "." + Base64URL.encode(code.span))
  return 0

  func check(_ text: String) {
    do throws(TokenError) {
      let token = try verifier.verify(text, app: app, now: 1_000)
      precondition(token.expires > 1_000 && token.notBefore ?? 0 <= 1_000 && token.app == app)
      let again = try! verifier.verify(signer.sign(token), app: app, now: 1_000)
      precondition(again == token)
    } catch {
      precondition(!error.description.isEmpty && error.code.rawValue < 0)
    }
  }
}
