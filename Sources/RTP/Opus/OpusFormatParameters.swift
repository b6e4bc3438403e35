/// What one end tells the other about Opus in SDP: mostly what it would like to get.
///
///     minptime=10;useinbandfec=1;stereo=1
///
/// nil = not said; what then holds stands at each.
///
/// Source: RFC 7587, section 6.1; `minptime` is what browsers say.
public struct OpusFormatParameters: Hashable, Sendable {
  /// The highest rate that the receiver can play, in Hz; 48000 unless said.
  public var maximumPlaybackRate: Int?
  /// The highest rate that the sender is likely to capture, in Hz; 48000 unless said.
  public var captureRate: Int?
  /// The longest packet wanted, in ms; 120 unless said.
  public var maximumPacketMilliseconds: Int?
  /// The shortest packet wanted, in ms.
  public var minimumPacketMilliseconds: Int?
  /// The length of packet preferred, in ms; 20 unless said.
  public var packetMilliseconds: Int?
  /// The highest mean bitrate wanted, in bit/s.
  public var maximumAverageBitrate: Int?
  /// Whether the receiver prefers stereo; no unless said.
  public var prefersStereo: Bool?
  /// Whether the sender is likely to send stereo; no unless said.
  public var sendsStereo: Bool?
  /// Whether a constant bitrate is preferred; no unless said.
  public var prefersConstantBitrate: Bool?
  /// Whether the receiver makes use of FEC; no unless said.
  public var usesForwardErrorCorrection: Bool?
  /// Whether the receiver prefers that silence is not sent; no unless said.
  public var usesDiscontinuousTransmission: Bool?

  /// Nothing said.
  public init() {}
}
