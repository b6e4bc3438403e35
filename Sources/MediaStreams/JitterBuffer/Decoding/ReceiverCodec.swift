import OpusCodec
public import RTP

/// Codec of the payloads of a received stream.
public enum ReceiverCodec: Hashable, Sendable, BitwiseCopyable {
  /// Opus (RFC 7587).
  case opus
  /// Mu-law of G.711: 8 kHz, one channel (RFC 3551, PCMU).
  case pcmu
  /// A-law of G.711: 8 kHz, one channel (RFC 3551, PCMA).
  case pcma
  /// 16-bit samples in network byte order (RFC 3551, L16): a rate of `RTPPayloadFormat.linearRates`, 1 or 2 channels.
  case linear16(sampleRate: Int = 48_000, channelCount: Int = 1)
  /// No sound: source and sequence number, checked at arrival (`NullPayload`).
  case null

  /// Most samples per channel in a packet, at 48 kHz: 120 ms of Opus, and 240 ms of a codec without frames, of which
  /// 187 ms fit into an Ethernet frame. ffmpeg sends 128 and 182 ms.
  var maximumSampleCount: Int {
    @_noLocks get {
      switch self {
      case .opus, .null: OpusDecoder.maximumSamplesPerPacket
      case .pcmu, .pcma, .linear16: 11_520
      }
    }
  }

  /// Whether a payload type belongs to the same stream as another one: both are static ones of G.711, between which a
  /// party changes within a call, as behind a re-INVITE.
  ///
  /// Source: RFC 3551, table 4.
  @_noLocks
  package func hasSibling(_ first: UInt8, _ second: UInt8) -> Bool {
    switch self {
    case .pcmu, .pcma: (first == 0 || first == 8) && (second == 0 || second == 8)
    case .opus, .linear16, .null: false
    }
  }

  /// Whether payloads of a type are A-law: by the type if it is a static one of G.711, else by the codec.
  @_noLocks
  func isALaw(payloadType: UInt8) -> Bool {
    switch self {
    case .pcmu: payloadType == 8
    case .pcma: payloadType != 0
    case .opus, .linear16, .null: false
    }
  }

  /// Creates the codec of a format.
  public init(_ format: RTPPayloadFormat) {
    switch format.encoding {
    case .opus: self = .opus
    case .pcmu: self = .pcmu
    case .pcma: self = .pcma
    case .linear16: self = .linear16(sampleRate: format.clockRate, channelCount: format.channelCount)
    }
  }

  /// Format of the payloads in SDP; nil for `null`, and for L16 out of range.
  public var format: RTPPayloadFormat? {
    switch self {
    case .opus: .opus
    case .pcmu: .pcmu
    case .pcma: .pcma
    case .linear16(let rate, let channels):
      RTPPayloadFormat(.linear16, clockRate: rate, channelCount: channels)
    case .null: nil
    }
  }

  /// Units of the RTP timestamp in a second. Real-time: wait-free.
  public var clockRate: Int {
    @_noLocks get {
      switch self {
      case .opus, .null: 48_000
      case .pcmu, .pcma: 8_000
      case .linear16(let rate, _): rate
      }
    }
  }

  /// Channels of payloads of plain samples.
  var channelCount: Int {
    if case .linear16(_, let channels) = self { return channels }
    return 1
  }

  /// Bytes of one sample of all channels; nil if payloads are not plain samples.
  var bytesPerSample: Int? {
    @_noLocks get {
      switch self {
      case .opus, .null: nil
      case .pcmu, .pcma: 1
      case .linear16(_, let channels): 2 &* channels
      }
    }
  }
}
