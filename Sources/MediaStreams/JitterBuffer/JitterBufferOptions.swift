public import Platform
import RTP

/// Options of a receiver; fixed for its life.
public struct JitterBufferOptions: Hashable, Sendable {
  /// Codec of the payloads.
  public var codec: ReceiverCodec
  /// Channels of the output, 1 or 2, regardless of those in the packets.
  public var channelCount: Int
  /// RTP payload type of the stream; packets of another type are counted and dropped.
  ///
  /// Nil stands for the static type of G.711. For other codecs, the stream's first packets name it: any from 35 on, or
  /// the static one of L16. Other types below belong to other codecs.
  public var payloadType: UInt8?
  /// Payload type of RED packets (RFC 2198), of which the newest block is played; nil if there are none.
  public var redundancyPayloadType: UInt8?
  /// Source that frames name: a user's uid.
  public var sourceID: UInt32
  /// Number of the header extension with a packet's audio level (RFC 6464), as both sides have agreed on it; nil if
  /// packets carry none.
  public var audioLevelIdentifier: UInt8?
  /// Whether a relay has numbered the packets, so that their numbers differ from those in null payloads.
  package var isRelayed = false

  /// Creates options from their parts.
  public init(
    codec: ReceiverCodec = .opus, channelCount: Int = 1, payloadType: UInt8? = nil,
    redundancyPayloadType: UInt8? = nil, sourceID: UInt32 = 0, audioLevelIdentifier: UInt8? = nil
  ) {
    self.codec = codec
    self.channelCount = channelCount
    self.payloadType = payloadType
    self.redundancyPayloadType = redundancyPayloadType
    self.sourceID = sourceID
    self.audioLevelIdentifier = audioLevelIdentifier
  }

  /// Checks the options.
  ///
  /// - Throws: `EngineError.Code.invalidArgument` with the value that is out of range.
  public func validate() throws(EngineError) {
    guard channelCount == 1 || channelCount == 2 else {
      throw EngineError(.invalidArgument, "a stream cannot be received with \(channelCount) channels; use 1 or 2")
    }
    if case .linear16(let rate, let channels) = codec, codec.format == nil {
      throw EngineError(
        .invalidArgument,
        "L16 cannot be received at \(rate) Hz with \(channels) channels; use 1 or 2 channels at "
          + RTPPayloadFormat.linearRates.map { "\($0)" }.joined(separator: ", ") + " Hz")
    }
    if let payloadType, payloadType > 127 {
      throw EngineError(.invalidArgument, "\(payloadType) is not an RTP payload type; use 0 to 127")
    }
  }

  /// Payload type that packets must have; nil if the first packets name it, or if any is taken.
  var expectedPayloadType: UInt8? {
    @_noLocks get {
      if let payloadType { return payloadType }
      // The static types of `RTPPayloadFormat`, which the audio thread cannot search.
      switch codec {
      case .pcmu: return 0
      case .pcma: return 8
      case .opus, .linear16, .null: return nil
      }
    }
  }

  /// Returns whether a payload type may belong to the codec if the first packets name it.
  @_noLocks
  func mayHave(payloadType type: UInt8) -> Bool {
    if type >= OpusRTP.lowestPayloadType { return true }
    if case .linear16(44_100, let channels) = codec { return type == (channels == 2 ? 10 : 11) }
    return false
  }

  /// Whether the stream's first packets name the payload type if the options do not.
  var learnsPayloadType: Bool {
    @_noLocks get {
      if case .null = codec { return false }
      return true
    }
  }
}
