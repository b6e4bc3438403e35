public import OpusCodec
public import RTP

/// Codec of a sender's payloads.
public enum SenderCodec: Hashable, Sendable, BitwiseCopyable {
  /// Opus (RFC 7587).
  case opus(OpusOptions)
  /// Mu-law of G.711: 8 kHz, one channel (RFC 3551, PCMU). Telephone systems expect packets of 20 ms.
  case pcmu(OpusOptions.PacketDuration = .milliseconds20)
  /// A-law of G.711: 8 kHz, one channel (RFC 3551, PCMA).
  case pcma(OpusOptions.PacketDuration = .milliseconds20)
  /// 16-bit samples in network byte order (RFC 3551, L16), at a rate of `RTPPayloadFormat.linearRates`, in the sender's
  /// channels. A payload has at most 1400 bytes: longer sounds become several packets.
  case linear16(sampleRate: Int = 48_000, OpusOptions.PacketDuration = .milliseconds10)
  /// No sound: source and sequence number, for runs about the protocol (`NullPayload`).
  case null(OpusOptions.PacketDuration)

  /// Bits per second; nil if the codec has none to choose.
  var bitrate: Int? {
    switch self {
    case .opus(let options): options.bitrate
    case .pcmu, .pcma, .linear16, .null: nil
    }
  }

  /// Whether payloads are plain samples.
  var isLinear: Bool {
    switch self {
    case .pcmu, .pcma, .linear16: true
    case .opus, .null: false
    }
  }

  /// Duration of the sound in a packet.
  public var packetDuration: OpusOptions.PacketDuration {
    @_noLocks get {
      switch self {
      case .opus(let options): options.packetDuration
      case .pcmu(let duration), .pcma(let duration), .linear16(_, let duration), .null(let duration): duration
      }
    }
  }

  /// Returns the format of the payloads of a sender with `channelCount` channels; nil for `null`, and for L16 out of
  /// range.
  public func format(channelCount: Int) -> RTPPayloadFormat? {
    switch self {
    case .opus: .opus
    case .pcmu: .pcmu
    case .pcma: .pcma
    case .linear16(let rate, _): RTPPayloadFormat(.linear16, clockRate: rate, channelCount: channelCount)
    case .null: nil
    }
  }
}
