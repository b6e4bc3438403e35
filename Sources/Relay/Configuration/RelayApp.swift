public import Signalling

/// An app of a relay: users of different apps never hear each other.
public struct RelayApp: Sendable {
  /// Id in tokens.
  public let id: AppID
  /// Whether a client may join with the id alone. Such a session ends after 24 h.
  public let allowsAppIDOnly: Bool
  /// Publishers that a listener hears at the same time; nil for the limit of the relay, 0 for all.
  public var speakers: Int?
  /// Limits of single channels, in place of `speakers`: the first that fits counts.
  public var speakerRules: [SpeakerRule]
  let verifier: TokenVerifier?

  /// Creates an app.
  ///
  /// - Parameters:
  ///   - id: id in tokens.
  ///   - secret: secret that signs tokens; nil for an app without tokens.
  ///   - otherSecret: second secret, valid at the same time, for a change of secrets.
  ///   - allowsAppIDOnly: whether a client may join without a token.
  ///   - speakers: publishers that a listener hears at the same time; nil for the limit of the relay, 0 for all.
  ///   - speakerRules: limits of single channels, in place of `speakers`: the first that fits counts.
  public init(
    id: AppID, secret: TokenSecret?, otherSecret: TokenSecret? = nil, allowsAppIDOnly: Bool = false,
    speakers: Int? = nil, speakerRules: [SpeakerRule] = []
  ) {
    self.speakerRules = speakerRules
    self.speakers = speakers
    self.id = id
    self.allowsAppIDOnly = allowsAppIDOnly
    verifier = secret.map { TokenVerifier($0, otherSecret) }
  }

  /// Publishers that a listener of a channel hears at the same time; nil for the limit of the relay, 0 for all.
  func speakers(in channel: ChannelName) -> Int? { speakerRules.first { $0.fits(channel) }?.speakers ?? speakers }
}
