/// Stream that the local side sends in a section: SSRC, CNAME and names for browsers.
public struct SentStream: Hashable, Sendable {
  /// Source of the packets.
  public var source: StreamSource
  /// Names of the media stream and track.
  public var id: MediaStreamID

  /// Creates a stream from its parts.
  public init(ssrc: UInt32, cname: String, id: MediaStreamID) {
    source = StreamSource(ssrc: ssrc, cname: cname)
    self.id = id
  }
}
