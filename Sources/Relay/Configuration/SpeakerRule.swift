internal import Signalling

/// Limit of the speakers in one channel of an app, or in all channels with names of one beginning.
public struct SpeakerRule: Hashable, Sendable {
  /// Rules of an app, at most: each join looks at all of them.
  public static let maximumCount = 100

  /// Publishers that a listener hears at the same time; 0 for all.
  public let speakers: Int
  private let text: String
  private let isBeginning: Bool

  /// Creates a rule for the name of a channel, or for the beginning of names with `*` behind it, as `hall-*`.
  ///
  /// - Returns: nil for a pattern that no channel's name fits.
  public init?(_ pattern: String, speakers: Int) {
    isBeginning = pattern.hasSuffix("*")
    text = isBeginning ? String(pattern.dropLast()) : pattern
    guard isBeginning && text.isEmpty || ChannelName(text) != nil else { return nil }
    self.speakers = speakers
  }

  /// Whether the rule counts for a channel.
  func fits(_ channel: ChannelName) -> Bool { isBeginning ? channel.text.hasPrefix(text) : channel.text == text }
}
