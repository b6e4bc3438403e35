/// Media section that is not used. An answer has it at the same index, with port 0.
///
/// Source: RFC 3264, section 6.
public struct RefusedSection: Hashable, Sendable {
  /// Kind of the media, such as `video`.
  public var kind: String
  /// Transport, such as `UDP/DTLS/SCTP`.
  public var profile: String
  /// Formats of the `m=` line; never empty in a description that was read.
  public var formats: [String]
  /// Name of the section; nil if the description has none.
  public var mid: String?
  /// Reason of the refusal. A description in text does not have it.
  public var reason: RefusalReason

  /// Creates a section from its parts.
  public init(kind: String, profile: String, formats: [String], mid: String?, reason: RefusalReason) {
    self.kind = kind
    self.profile = profile
    self.formats = formats
    self.mid = mid
    self.reason = reason
  }

  /// Creates the refusal of an audio section.
  init(_ section: AudioSection, reason: RefusalReason) {
    self.init(kind: "audio", profile: section.profile, formats: section.formats, mid: section.mid, reason: reason)
  }
}
