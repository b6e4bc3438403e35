public import OpusCodec
public import Platform
import RTP

/// Options of a sender; all but the codec's settings are fixed for its life.
public struct SenderOptions: Hashable, Sendable {
  /// Codec of the payloads.
  public var codec: SenderCodec
  /// Channels, 1 or 2.
  public var channelCount: Int
  /// RTP payload type: at first the static one of the codec, or else 111, as browsers use for Opus.
  public var payloadType: UInt8
  /// Synchronization source in the packets.
  public var ssrc: UInt32
  /// Sequence number of the first packet; below 32768, so that SRTP finds no wrap in the first packets (RFC 3711).
  public var firstSequenceNumber: UInt16
  /// Timestamp of the first packet.
  public var firstTimestamp: UInt32
  /// Source that payloads of the `null` codec name: a user's uid.
  public var sourceID: UInt32
  /// Number of the header extension with a packet's audio level (RFC 6464), 1...14, as both sides have agreed on it;
  /// nil if packets carry none.
  ///
  /// The V bit of the level says whether somebody speaks in the sent sound, by `VoiceActivity` as in volume indication.
  /// The sent sound includes music that is mixed into it.
  public var audioLevelIdentifier: UInt8?

  /// Whether the packets continue those of another sender, so that SRTP knows how often their numbers have wrapped.
  package var isContinuation = false

  /// Creates options from their parts. Source: RFC 3550 wants SSRC, first sequence number and timestamp random.
  public init(
    codec: SenderCodec = .opus(OpusOptions()), channelCount: Int = 1, payloadType: UInt8? = nil, ssrc: UInt32 = 1,
    firstSequenceNumber: UInt16 = 0, firstTimestamp: UInt32 = 0, sourceID: UInt32 = 0,
    audioLevelIdentifier: UInt8? = nil
  ) {
    self.codec = codec
    self.channelCount = channelCount
    self.payloadType = payloadType ?? codec.format(channelCount: channelCount)?.staticPayloadType ?? 111
    self.ssrc = ssrc
    self.firstSequenceNumber = firstSequenceNumber
    self.firstTimestamp = firstTimestamp
    self.sourceID = sourceID
    self.audioLevelIdentifier = audioLevelIdentifier
  }

  /// Units of the RTP timestamp in a second.
  public var clockRate: Int { codec.format(channelCount: channelCount)?.clockRate ?? OpusOptions.sampleRate }

  /// Checks the options.
  ///
  /// - Throws: `EngineError.Code.invalidArgument` with the value that is out of range.
  public func validate() throws(EngineError) {
    guard channelCount == 1 || channelCount == 2 else {
      throw EngineError(.invalidArgument, "\(channelCount) channels cannot be sent; use 1 or 2")
    }
    if case .linear16(let rate, _) = codec, codec.format(channelCount: channelCount) == nil {
      throw EngineError(
        .invalidArgument,
        "L16 cannot be sent at \(rate) Hz; use \(RTPPayloadFormat.linearRates.map { "\($0)" }.joined(separator: ", ")) Hz"
      )
    }
    guard payloadType < 128 else {
      throw EngineError(.invalidArgument, "\(payloadType) is not an RTP payload type; use 0 to 127")
    }
    guard DatagramKind.canTell(payloadType: payloadType) else {
      throw EngineError(.invalidArgument, "the payload type \(payloadType) is kept free for RTCP; use 96 to 127")
    }
    guard isContinuation || firstSequenceNumber < 32_768 else {
      throw EngineError(.invalidArgument, "a stream cannot begin with packet \(firstSequenceNumber); use 0 to 32767")
    }
    if let identifier = audioLevelIdentifier, !(1...14).contains(identifier) {
      throw EngineError(.invalidArgument, "a header extension of one byte has no number \(identifier); use 1 to 14")
    }
    if case .opus(let options) = codec { try options.validate() }
  }
}
