/// Properties of a frame besides its samples.
public struct FrameHeader: Sendable, BitwiseCopyable {
  /// Position of the first sample since the stream began; negative while a delay is still being filled.
  public var samplePosition: Int
  /// Monotonic time of capture, in nanoseconds of the engine's clock.
  public var captureTimeNanoseconds: Int
  /// Number of the frame in the stream.
  public var sequenceNumber: Int
  /// Samples of one channel.
  public var samplesPerChannel: Int
  /// Source that the frame belongs to (a user's uid); 0 if several were mixed.
  public var sourceID: UInt32
  /// RTP timestamp of the packet that the frame was decoded from; nil without a packet.
  public var rtpTimestamp: UInt32?
  /// Loudspeakers of the channels, bit by bit as in WAVEFORMATEXTENSIBLE; 0 if unspecified.
  public var speakers: UInt32
  /// Whether every sample is zero; a step may skip its work.
  public var isSilent: Bool
  /// Origin of the samples.
  public var provenance: Provenance

  /// Creates the header of a captured frame at `samplePosition`.
  @_noLocks @inlinable
  public init(
    samplePosition: Int, samplesPerChannel: Int, sequenceNumber: Int = 0, captureTimeNanoseconds: Int = 0,
    sourceID: UInt32 = 0
  ) {
    self.samplePosition = samplePosition
    self.captureTimeNanoseconds = captureTimeNanoseconds
    self.sequenceNumber = sequenceNumber
    self.samplesPerChannel = samplesPerChannel
    self.sourceID = sourceID
    self.rtpTimestamp = nil
    self.speakers = 0
    self.isSilent = false
    self.provenance = .captured
  }
}
