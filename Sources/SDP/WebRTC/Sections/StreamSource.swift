/// SSRC that a section's author sends, as in SDP's `ssrc`.
///
/// Source: RFC 5576, sections 4.1 and 6.1.
public struct StreamSource: Hashable, Sendable {
  /// SSRC of the packets.
  public let ssrc: UInt32
  /// Name that the author's sources share; nil if the description has none.
  public var cname: String?

  /// Creates a source.
  public init(ssrc: UInt32, cname: String? = nil) {
    self.ssrc = ssrc
    self.cname = cname
  }
}
