public import Platform

/// Options of a receiver; fixed for its life.
public struct JitterBufferOptions: Hashable, Sendable {
  /// Codec of the payloads.
  public var codec: ReceiverCodec
  /// Channels of the output, 1 or 2; for L16 also those of the input.
  public var channelCount: Int
  /// RTP payload type of the stream; packets of another type are counted and dropped. Nil accepts any type, except for
  /// Opus those of other codecs (below 35).
  public var payloadType: UInt8?
  /// Payload type of RED packets (RFC 2198), of which the newest block is played; nil if there are none.
  public var redundancyPayloadType: UInt8?
  /// Source that frames name: a user's uid.
  public var sourceID: UInt32
  /// Number of the header extension with a packet's audio level (RFC 6464), as both sides have agreed on it; nil if
  /// packets carry none.
  public var audioLevelIdentifier: UInt8?

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
    if let payloadType, payloadType > 127 {
      throw EngineError(.invalidArgument, "\(payloadType) is not an RTP payload type; use 0 to 127")
    }
  }
}
