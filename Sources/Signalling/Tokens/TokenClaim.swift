package import JSON
import Platform

/// Claims of a token in JSON.
package enum TokenClaim {
  static let app = "an app id of \(AppID.rule)"
  static let channel = "a channel name of \(ChannelName.rule)"
  static let uid = "a whole number of 0...4294967295"
  static let account = "a text of \(UserAccount.rule)"
  static let role = TokenRole.allCases.map(\.rawValue).joined(separator: " or ")
  static let rights =
    "a list of \(TokenRights.named.map(\.name).joined(separator: ", ")) "
    + "and at most \(Token.maximumRelayDestinations) relay:CHANNEL"
  static let time = "seconds since 1970, before the year 10000; milliseconds are 1000 times too many"
  static let id = "a text of at most \(Token.maximumIDByteCount) bytes"

  private static let relayPrefix = "relay:"

  /// Writes the claims into an object.
  package static func write(_ token: Token, to json: inout JSONWriter) {
    json.field("app", token.app.text)
    switch token.scope {
    case .channel(let name): json.field("channel", name.text)
    case .anyChannel: json.field("channel", "*")
    }
    switch token.user {
    case .uid(let uid): json.field("uid", uid)
    case .account(let account): json.field("account", account.text)
    }
    json.field("role", token.role.rawValue)
    if let rights = token.namedRights {
      json.array("rights") { json in
        for name in rights.names { json.value(name) }
        for channel in token.relayDestinations { json.value(relayPrefix + channel.text) }
      }
    }
    if let notBefore = token.notBefore { json.field("nbf", Int(notBefore)) }
    json.field("exp", Int(token.expires))
    if let id = token.id { json.field("jti", id) }
  }

  /// Reads claims; claims of other names are ignored.
  static func read(_ claims: JSONFields) throws(TokenError) -> Token {
    guard case .text(let appText) = claims["app"], let app = AppID(appText) else { throw .claim("app", expected: app) }
    guard let role = claims["role"]?.name.flatMap(TokenRole.init(rawValue:)) else {
      throw .claim("role", expected: role)
    }
    guard let end = claims["exp"], let expires = seconds(end, .down) else { throw .claim("exp", expected: time) }
    var notBefore: Int64?
    if let start = claims["nbf"] {
      notBefore = seconds(start, .up)
      guard notBefore != nil else { throw .claim("nbf", expected: time) }
    }
    var id: String?
    if let value = claims["jti"] {
      guard case .text(let text) = value else { throw .claim("jti", expected: Self.id) }
      id = text
    }
    let (rights, destinations) = try readRights(claims["rights"])
    return try Token(
      app: app, scope: readScope(claims), user: readUser(claims), role: role, rights: rights,
      relayDestinations: destinations, notBefore: notBefore, expires: expires, id: id)
  }

  private static func readScope(_ claims: JSONFields) throws(TokenError) -> TokenScope {
    guard case .text(let text) = claims["channel"] else { throw .channelName }
    if text.hasSameBytes(as: "*") { return .anyChannel }
    guard let name = ChannelName(text) else { throw .channelName }
    return .channel(name)
  }

  private static func readUser(_ claims: JSONFields) throws(TokenError) -> UserIdentity {
    switch (claims["uid"], claims["account"]) {
    case (.number(let number), nil):
      guard let uid = UInt32(exactly: number) else { throw .user }
      return .uid(uid)
    case (nil, .text(let text)):
      guard let account = UserAccount(text) else { throw .user }
      return .account(account)
    default: throw .user
    }
  }

  /// Reads rights; nil without the claim. An unknown name is refused, because it may be a misspelt one.
  private static func readRights(_ value: JSONValue?) throws(TokenError) -> (TokenRights?, [ChannelName]) {
    guard let value else { return (nil, []) }
    guard case .array(let values) = value else { throw .claim("rights", expected: rights) }
    var named: TokenRights = []
    var destinations: [ChannelName] = []
    for value in values {
      guard case .text(let text) = value, text.isASCII else { throw .claim("rights", expected: rights) }
      if text.hasPrefix(relayPrefix), let channel = ChannelName(String(text.dropFirst(relayPrefix.count))) {
        destinations.append(channel)
      } else if let right = TokenRights(name: text) {
        named.formUnion(right)
      } else {
        throw .claim("rights", expected: rights)
      }
    }
    return (named, destinations)
  }

  private static func seconds(_ value: JSONValue, _ rule: FloatingPointRoundingRule) -> Int64? {
    guard case .number(let number) = value, let seconds = Int64(exactly: number.rounded(rule)),
      Token.times.contains(seconds)
    else { return nil }
    return seconds
  }
}
