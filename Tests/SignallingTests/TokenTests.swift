import Cryptography
import Signalling
import TestSupport
import Testing

@Suite("Claims and rights of tokens", .timeLimit(.minutes(10)))
struct TokenTests {
  private static let lobby = ChannelName("lobby")!

  @Test("a signed token has the claims of its maker", .shows("C20"))
  func roundTrip() throws {
    let tokens = [
      try Token(app: Forge.app, scope: .channel(Self.lobby), user: .uid(0), role: .audience, expires: 1_800_001_000),
      try Token(
        app: Forge.app, scope: .anyChannel, user: .account(UserAccount("ann [1]")!),
        rights: [.subscribe, .hidden, .admin], relayDestinations: [ChannelName("a:b")!, ChannelName(" ")!],
        notBefore: 0, expires: 1_800_001_000, id: "ü\"\\\n"),
      try Token(
        app: Forge.app, scope: .channel(Self.lobby), user: .uid(.max), rights: [], expires: Token.times.upperBound),
      try Token(
        app: Forge.app, scope: .channel(Self.lobby), user: .uid(1), relayDestinations: [Self.lobby],
        expires: 1_800_001_000),
    ]
    for token in tokens {
      let text = TokenSigner(try Forge.secret()).sign(token)
      #expect(try Forge.verifier().verify(text, app: Forge.app, now: Forge.now) == token)
    }
    #expect(tokens[2].rights == [] && tokens[3].rights == [.publish, .subscribe, .data])
  }

  @Test("a token for any channel needs one user", .shows("C12"))
  func wildcard() {
    #expect(throws: TokenError.wildcardUser) {
      try Token(app: Forge.app, scope: .anyChannel, user: .uid(0), expires: 1)
    }
  }

  @Test("times, ids and relay destinations have limits")
  func limits() {
    func make(_ expires: Int64 = 1, from start: Int64 = 0, id: Int = 1, destinations: Int = 6) throws {
      _ = try Token(
        app: Forge.app, scope: .anyChannel, user: .uid(1),
        relayDestinations: [ChannelName](repeating: Self.lobby, count: destinations), notBefore: start,
        expires: expires, id: String(repeating: "i", count: id))
    }
    #expect(throws: Never.self) { try make() }
    #expect(throws: TokenError.self) { try make(-1) }
    #expect(throws: TokenError.self) { try make(.max) }
    #expect(throws: TokenError.self) { try make(from: -1) }
    #expect(throws: TokenError.self) { try make(id: 129) }
    #expect(throws: TokenError.self) { try make(destinations: 7) }
  }

  @Test("rights follow from the role, and a recorder is hidden")
  func rights() throws {
    func rights(_ role: TokenRole, _ named: TokenRights?) throws -> TokenRights {
      try Token(app: Forge.app, scope: .anyChannel, user: .uid(1), role: role, rights: named, expires: 1).rights
    }
    #expect(try rights(.broadcaster, nil) == [.publish, .subscribe, .data])
    #expect(try rights(.audience, nil) == .subscribe)
    #expect(try rights(.audience, [.publish]) == .publish)
    #expect(try rights(.broadcaster, [.recorder, .publish, .data]) == [.recorder, .hidden, .subscribe])
  }

  @Test("a token is checked against channel and user", .shows("C12"))
  func place() throws {
    let ann = UserIdentity.account(UserAccount("ann")!)
    let token = try token(.channel(Self.lobby), .uid(7))
    try TokenVerifier.check(token, channel: Self.lobby, user: .uid(7))
    let other = ChannelName("Lobby")!
    #expect(throws: TokenError.otherChannel(token.scope, requested: other)) {
      try TokenVerifier.check(token, channel: other, user: .uid(7))
    }
    for user in [.uid(8), .uid(0), ann] {
      let error = TokenError.otherUser(.uid(7), requested: user)
      #expect(throws: error) { try TokenVerifier.check(token, channel: Self.lobby, user: user) }
      #expect(error.code.rawValue == -110)
    }
    for user in [.uid(0), .uid(8), ann] {
      try TokenVerifier.check(self.token(.channel(Self.lobby), .uid(0)), channel: Self.lobby, user: user)
    }
    try TokenVerifier.check(self.token(.anyChannel, ann), channel: other, user: ann)
    #expect(throws: TokenError.self) {
      try TokenVerifier.check(self.token(.anyChannel, ann), channel: other, user: .uid(1))
    }
  }

  @Test("a role, a right or a destination that is not granted is refused")
  func permissions() throws {
    let audience = try token(.anyChannel, .uid(1), .audience)
    try TokenVerifier.check(audience, role: .audience)
    try TokenVerifier.check(token(.anyChannel, .uid(1)), role: .broadcaster)
    try TokenVerifier.check(audience, rights: .subscribe)
    let refusals: [TokenError] = [
      .role(.audience, requested: .broadcaster), .rights(missing: .publish), .relayDestination(Self.lobby),
    ]
    #expect(throws: refusals[0]) { try TokenVerifier.check(audience, role: .broadcaster) }
    #expect(throws: refusals[1]) { try TokenVerifier.check(audience, rights: [.publish, .subscribe]) }
    #expect(throws: refusals[2]) { try TokenVerifier.check(audience, relayDestination: Self.lobby) }
    for refusal in refusals { #expect(refusal.code.rawValue == -5 && refusal.reason == .rejected) }
  }

  @Test("a secret has 16 bytes at least and a key id, and is not printed")
  func secrets() throws {
    #expect(throws: TokenSecretError.tooShort(byteCount: 15)) { try Forge.secret("123456789012345") }
    #expect(throws: TokenSecretError.keyID) { try Forge.secret(keyID: "") }
    #expect(throws: TokenSecretError.keyID) { try Forge.secret(keyID: String(repeating: "k", count: 65)) }
    let secret = try Forge.secret("1234567890123456")
    var dumped = ""
    dump(TokenVerifier(secret), to: &dumped)
    for shown in ["\(secret)", String(reflecting: secret), "\(TokenSigner(secret))", dumped] {
      #expect(!shown.contains("1234"), "\(shown)")
    }
  }

  private func token(_ scope: TokenScope, _ user: UserIdentity, _ role: TokenRole = .broadcaster) throws -> Token {
    try Token(app: Forge.app, scope: scope, user: user, role: role, expires: 1)
  }
}
