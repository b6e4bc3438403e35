/// Parameters of Opus in SDP: mostly preferences for received packets.
///
///     minptime=10;useinbandfec=1;stereo=1
///
/// A parameter that is not given is nil; the value that then applies is stated at each.
///
/// Source: RFC 7587, section 6.1; `minptime` is used by browsers.
public struct OpusFormatParameters: Hashable, Sendable {
  /// Highest sample rate that the receiver can play, in Hz; 48000 if nil.
  public var maximumPlaybackRate: Int?
  /// Highest sample rate that the sender is likely to capture, in Hz; 48000 if nil.
  public var captureRate: Int?
  /// Longest packet wanted, in ms; 120 if nil.
  public var maximumPacketMilliseconds: Int?
  /// Shortest packet wanted, in ms.
  public var minimumPacketMilliseconds: Int?
  /// Preferred packet length, in ms; 20 if nil.
  public var packetMilliseconds: Int?
  /// Highest mean bitrate wanted, in bit/s.
  public var maximumAverageBitrate: Int?
  /// Whether the receiver prefers stereo; false if nil.
  public var prefersStereo: Bool?
  /// Whether the sender is likely to send stereo; false if nil.
  public var sendsStereo: Bool?
  /// Whether a constant bitrate is preferred; false if nil.
  public var prefersConstantBitrate: Bool?
  /// Whether the receiver uses FEC; false if nil.
  public var usesForwardErrorCorrection: Bool?
  /// Whether the receiver prefers that silence is not sent; false if nil.
  public var usesDiscontinuousTransmission: Bool?

  /// Creates parameters of which none is given.
  public init() {}
}
