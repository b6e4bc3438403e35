/// Constants of Opus in RTP.
///
/// Source: RFC 7587, sections 4 and 7.
public enum OpusRTP {
  /// Units of the timestamp in a second, regardless of the codec's sample rate.
  public static var clockRate: Int { @_noLocks get { 48_000 } }
  /// Lowest payload type for Opus. Lower ones belong to other codecs, unless a description says otherwise (RFC 3551,
  /// section 6).
  public static var lowestPayloadType: UInt8 { @_noLocks get { 35 } }
  /// Name of Opus in SDP's `rtpmap`.
  public static let encodingName = "opus"
  /// Channels in SDP's `rtpmap`: 2 for every stream, also a mono one.
  public static let encodingChannelCount = 2
}
