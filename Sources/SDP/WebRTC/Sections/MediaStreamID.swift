/// Names of a media stream and its track in a browser, as in SDP's `msid`.
///
/// Source: RFC 8830, section 2.
public struct MediaStreamID: Hashable, Sendable {
  /// Name of the media stream; `-` for a track without one.
  public let stream: String
  /// Name of the track; nil if the description has none.
  public let track: String?

  /// Creates names.
  public init(stream: String, track: String? = nil) {
    self.stream = stream
    self.track = track
  }

  /// Reads `stream track` or `stream`; nil if it is malformed.
  init?(_ text: Substring) {
    let words = SDPLine.words(of: text)
    guard (1...2).contains(words.count), words.allSatisfy({ $0.utf8.count <= 256 }) else { return nil }
    self.init(stream: String(words[0]), track: words.count == 2 ? String(words[1]) : nil)
  }

  var text: String { stream + (track.map { " \($0)" } ?? "") }
}
