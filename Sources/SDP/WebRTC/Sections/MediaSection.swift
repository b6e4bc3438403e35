/// One `m=` line of a description and the lines that belong to it.
public enum MediaSection: Hashable, Sendable {
  /// Audio in Opus over RTP.
  case audio(AudioSection)
  /// Other media, or audio that is switched off or that cannot be used.
  case refused(RefusedSection)

  /// Name of the section; nil if the description has none.
  public var mid: String? {
    switch self {
    case .audio(let section): section.mid
    case .refused(let section): section.mid
    }
  }

  /// Kind of the media, such as `audio`.
  public var kind: String {
    switch self {
    case .audio: "audio"
    case .refused(let section): section.kind
    }
  }

  /// The audio; nil for a refused section.
  public var audio: AudioSection? {
    if case .audio(let section) = self { section } else { nil }
  }
}
