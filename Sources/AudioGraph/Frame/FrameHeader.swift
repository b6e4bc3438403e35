/// What is known about a frame besides its samples.
public struct FrameHeader: Sendable, BitwiseCopyable {
  /// Position of the first sample since the stream began; negative while a delay is still being filled.
  public var samplePosition: Int
  /// Monotonic time of capture, in nanoseconds of the engine's clock.
  public var captureTimeNanoseconds: Int
  /// Counts the frames of the stream.
  public var sequenceNumber: Int
  /// Samples of one channel.
  public var samplesPerChannel: Int
  /// Which source the frame belongs to (a user's uid); 0 where several were mixed.
  public var sourceID: UInt32
  /// The RTP timestamp of the packet that the frame was decoded from; nil where there was no packet.
  public var rtpTimestamp: UInt32?
  /// The loudspeakers of the channels, bit by bit as WAVEFORMATEXTENSIBLE has them; 0 where nothing is said.
  public var speakers: UInt32
  /// True where every sample is zero; a step may skip its work.
  public var isSilent: Bool
  /// Where the samples come from.
  public var provenance: Provenance

  /// A captured frame at `samplePosition`.
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
