public import AudioGraph

/// A frame that has left its callback, with its own samples.
public struct AudioFrameCopy: Sendable {
  /// Position and user of the frame; nil for a copy that was made without them.
  public let origin: FrameOrigin?
  /// The samples: 16 bits, channels interleaved.
  public let samples: [Int16]
  /// Samples of one channel.
  public let samplesPerChannel: Int
  /// Channels, which alternate sample by sample in `samples`.
  public let channelCount: Int
  /// Samples per second and channel, in Hz.
  public let sampleRate: Int
  /// Position of the first sample since the stream began; negative while a delay is being filled.
  public let samplePosition: Int
  /// Monotonic time of capture, in nanoseconds of the engine's clock.
  public let captureTimeNanoseconds: Int
  /// Number of the frame in the callback.
  public let sequenceNumber: Int
  /// RTP timestamp of the packet that the frame began in; nil without a packet.
  public let rtpTimestamp: UInt32?
  /// Origin of the samples.
  public let provenance: Provenance

  init(of block: UnsafeMutablePointer<ObservedBlock>, origin: FrameOrigin?) {
    self.origin = origin
    samples = Array(UnsafeBufferPointer(start: block.pointee.int16Samples(), count: block.pointee.sampleCount))
    samplesPerChannel = block.pointee.header.samplesPerChannel
    channelCount = block.pointee.channelCount
    sampleRate = block.pointee.sampleRate
    samplePosition = block.pointee.header.samplePosition
    captureTimeNanoseconds = block.pointee.header.captureTimeNanoseconds
    sequenceNumber = block.pointee.header.sequenceNumber
    rtpTimestamp = block.pointee.header.rtpTimestamp
    provenance = block.pointee.header.provenance
  }
}
