import Signalling
import TestSupport
import Testing

/// Tokens from and for another program. It reads the system's clock, so the tokens expire in the year 2100.
@Suite(
  .enabled("needs PyJWT from PyPI, which .ci/python could not install") { PyJWT.python != nil },
  .timeLimit(.minutes(10)))
struct PyJWTTests {
  @Test("tokens that PyJWT signs are accepted", .shows("C20"), arguments: ["{}", #"{"kid":"k1"}"#])
  func theirs(headers: String) throws {
    let text = try PyJWT.sign(
      #"{"app":"demo","channel":"*","account":"ann","role":"audience","exp":4102444800,"nbf":1.8e9,"iss":"é","aud":["x"],"#
        + #""rights":["subscribe","relay:hall"]}"#, headers: headers)
    let token = try Forge.verifier().verify(text, app: Forge.app, now: Forge.now)
    let expected = try Token(
      app: Forge.app, scope: .anyChannel, user: .account(UserAccount("ann")!), role: .audience, rights: .subscribe,
      relayDestinations: [ChannelName("hall")!], notBefore: 1_800_000_000, expires: 4_102_444_800)
    #expect(token == expected)
  }

  @Test("tokens that PyJWT signs by other means are refused", .shows("C20"))
  func refused() throws {
    let verifier = try Forge.verifier()
    let long = Forge.secretText + Forge.secretText
    #expect(throws: TokenError.algorithm) {
      try verifier.verify(PyJWT.sign(Forge.claims, algorithm: "HS512", secret: long), app: Forge.app, now: Forge.now)
    }
    #expect(throws: TokenError.algorithm) {
      try verifier.verify(PyJWT.sign(Forge.claims, algorithm: "none", secret: ""), app: Forge.app, now: Forge.now)
    }
    #expect(throws: TokenError.signature) {
      try verifier.verify(PyJWT.sign(Forge.claims, secret: long), app: Forge.app, now: Forge.now)
    }
  }

  @Test("PyJWT accepts our tokens and reads equal claims", .shows("C20"))
  func ours() throws {
    let signer = TokenSigner(try Forge.secret())
    let first = try Token(
      app: Forge.app, scope: .channel(ChannelName("a {b}")!), user: .uid(4_294_967_295), rights: [.publish, .admin],
      relayDestinations: [ChannelName("hall")!], notBefore: 1, expires: 4_102_444_800, id: "ü\"")
    #expect(
      try PyJWT.verify(signer.sign(first))
        == #"{"app":"demo","channel":"a {b}","exp":4102444800,"jti":"\u00fc\"","nbf":1,"#
        + #""rights":["publish","admin","relay:hall"],"role":"broadcaster","uid":4294967295}"#)
    let second = try Token(
      app: Forge.app, scope: .anyChannel, user: .account(UserAccount("ann")!), role: .audience, expires: 4_102_444_800)
    #expect(
      try PyJWT.verify(signer.sign(second))
        == #"{"account":"ann","app":"demo","channel":"*","exp":4102444800,"role":"audience"}"#)
    #expect(throws: (any Error).self) {
      try PyJWT.verify(signer.sign(second), secret: "a wrong secret of the same length")
    }
  }
}
