/// Claims of a token: the user, the channel and the rights that its signer grants.
///
/// Source: RFC 7519 for `nbf`, `exp` and `jti`; the other claims are those of this package.
public struct Token: Hashable, Sendable {
  /// Maximum number of channels that the user's audio may be relayed to.
  public static let maximumRelayDestinations = 6
  /// Maximum length of `id`, in bytes.
  public static let maximumIDByteCount = 128
  /// Range of times, in seconds since 1970: up to the end of the year 9999, so that milliseconds are refused.
  public static let times: ClosedRange<Int64> = 0...253_402_300_799

  /// App of the user; claim `app`.
  public let app: AppID
  /// Channels; claim `channel`.
  public let scope: TokenScope
  /// User; claim `uid` or `account`. Uid 0 stands for any user.
  public let user: UserIdentity
  /// Maximum role; claim `role`.
  public let role: TokenRole
  /// Rights that the token names; nil without the claim `rights`, which an empty set is not.
  public let namedRights: TokenRights?
  /// Channels that the user's audio may be relayed to; `relay:NAME` in the claim `rights`.
  public let relayDestinations: [ChannelName]
  /// First second of validity, since 1970; nil without a beginning. Claim `nbf`.
  public let notBefore: Int64?
  /// First second without validity, since 1970. Claim `exp`.
  public let expires: Int64
  /// Identifier of the token; nil without one. Claim `jti`.
  public let id: String?

  /// Creates claims.
  ///
  /// - Throws: `wildcardUser` for any channel together with any user; `claim` for a time, an id or a number of relay
  ///   destinations outside its range.
  public init(
    app: AppID, scope: TokenScope, user: UserIdentity, role: TokenRole = .broadcaster, rights: TokenRights? = nil,
    relayDestinations: [ChannelName] = [], notBefore: Int64? = nil, expires: Int64, id: String? = nil
  ) throws(TokenError) {
    if scope == .anyChannel, user == .uid(0) { throw .wildcardUser }
    guard Self.times.contains(expires) else { throw .claim("exp", expected: TokenClaim.time) }
    guard notBefore.map(Self.times.contains) != false else { throw .claim("nbf", expected: TokenClaim.time) }
    guard id.map({ $0.utf8.count <= Self.maximumIDByteCount }) != false else {
      throw .claim("jti", expected: TokenClaim.id)
    }
    guard relayDestinations.count <= Self.maximumRelayDestinations else {
      throw .claim("rights", expected: TokenClaim.rights)
    }
    self.app = app
    self.scope = scope
    self.user = user
    self.role = role
    // Destinations stand in the claim too, and a claim of them alone would withdraw the rights of the role.
    namedRights = rights ?? (relayDestinations.isEmpty ? nil : .standard(for: role))
    self.relayDestinations = relayDestinations
    self.notBefore = notBefore
    self.expires = expires
    self.id = id
  }

  /// Rights in effect: the named ones, or those of the role without the claim `rights`.
  public var rights: TokenRights { (namedRights ?? .standard(for: role)).effective }
}
