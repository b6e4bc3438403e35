/// Offer or answer of a WebRTC session: audio in Opus over ICE and DTLS-SRTP. Other media are refused.
///
///     v=0
///     o=- 1 1 IN IP4 0.0.0.0
///     s=-
///     t=0 0
///     a=group:BUNDLE 0
///     m=audio 9 UDP/TLS/RTP/SAVPF 111
///     a=mid:0
///     ...
///
/// Source: RFC 8829; RFC 9143 for bundles; RFC 3264 for offers and answers.
public struct WebRTCDescription: Hashable, Sendable {
  /// Number that identifies the session.
  public var sessionID: UInt64
  /// Version of the description, which increases with each change.
  public var version: UInt64
  /// Whether the author is an ICE-lite agent, which answers checks and sends none.
  public var isLite: Bool
  /// Media sections, in the order of their `m=` lines.
  public var sections: [MediaSection]
  /// Mids of each bundle; the sections of a bundle share one transport.
  public var bundles: [[String]]

  /// Longest text that is read, in bytes.
  public static let maximumByteCount = 65_536
  /// Most media sections that are read.
  public static let maximumSectionCount = 64
  /// Most audio sections that are read.
  public static let maximumAudioSectionCount = 32
  /// Most attributes that a section, or the session part, may have.
  public static let maximumAttributeCount = 256

  /// Creates a description from its parts.
  public init(
    sessionID: UInt64, version: UInt64 = 1, isLite: Bool = false, sections: [MediaSection], bundles: [[String]] = []
  ) {
    self.sessionID = sessionID
    self.version = version
    self.isLite = isLite
    self.sections = sections
    self.bundles = bundles
  }

  /// The audio sections, in order.
  public var audioSections: [AudioSection] { sections.compactMap(\.audio) }
}
