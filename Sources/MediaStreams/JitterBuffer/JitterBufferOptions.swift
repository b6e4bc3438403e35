public import Platform

/// What a receiver is made for; fixed for its life.
public struct JitterBufferOptions: Hashable, Sendable {
  /// How payloads are to be read.
  public var codec: ReceiverCodec
  /// Channels that come out, 1 or 2; for L16 also those that come in.
  public var channelCount: Int
  /// The RTP payload type of the stream; packets of another one are counted and dropped. Nil accepts any, but
  /// for Opus those that are another codec's (below 35).
  public var payloadType: UInt8?
  /// The payload type of RED packets (RFC 2198), of which the newest block is played; nil: none.
  public var redundancyPayloadType: UInt8?
  /// The source that frames name: a user's uid.
  public var sourceID: UInt32
  /// The number under which packets say how loud they are (RFC 6464), as both sides have agreed on it; nil: they do
  /// not.
  public var audioLevelIdentifier: UInt8?

  /// Options from their parts.
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

  /// Throws: `EngineError.Code.invalidArgument` that names the value which is out of range.
  public func validate() throws(EngineError) {
    guard channelCount == 1 || channelCount == 2 else {
      throw EngineError(.invalidArgument, "a stream cannot be received with \(channelCount) channels; use 1 or 2")
    }
    if let payloadType, payloadType > 127 {
      throw EngineError(.invalidArgument, "\(payloadType) is no RTP payload type; use 0 to 127")
    }
  }
}
