/// Parts of the local user's sound that a sender takes.
package struct SentParts: OptionSet, Hashable, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// A voice that the program does not push: from a device, a file, or another source.
  package static let microphone = SentParts(rawValue: 1 << 0)
  /// A voice that the program pushes.
  package static let pushed = SentParts(rawValue: 1 << 1)
  /// Music and effects that are sent with the voice.
  package static let music = SentParts(rawValue: 1 << 2)
  /// All parts.
  package static let all: SentParts = [.microphone, .pushed, .music]
}
