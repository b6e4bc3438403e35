public import RTP

/// What a receiver says of itself after a frame.
public struct JitterBufferSnapshot: Hashable, Sendable, BitwiseCopyable {
  /// What it is doing.
  public var stage: JitterBufferStage
  /// What it has counted.
  public var statistics: JitterBufferStatistics
  /// How long samples are to wait from their packet's arrival to their frame, on the average, in nanoseconds.
  public var targetDelayNanoseconds: Int
  /// How much faster than ours the sender's clock runs, in millionths; 0 while nothing says that it does.
  public var drift: Double
  /// How much the time from one packet to the next differs at arrival, on the average. Source: RFC 3550, interarrival
  /// jitter.
  public var jitterNanoseconds: Double
  /// The synchronisation source of the stream; nil while there is none.
  public var ssrc: UInt32?
  /// How loud the newest packet says it is; nil where packets do not say.
  public var audioLevel: AudioLevel?
  /// Samples rendered up to the end of the last frame with sound out of a packet; 0 before one.
  public var soundEnd: Int
  /// How far the stream has been played; nil before anything was.
  public var playout: PlayoutPosition?

  @_noLocks
  init(
    stage: JitterBufferStage, statistics: JitterBufferStatistics, targetDelayNanoseconds: Int, drift: Double,
    jitterNanoseconds: Double, ssrc: UInt32?, audioLevel: AudioLevel?, soundEnd: Int, playout: PlayoutPosition?
  ) {
    self.stage = stage
    self.statistics = statistics
    self.targetDelayNanoseconds = targetDelayNanoseconds
    self.drift = drift
    self.jitterNanoseconds = jitterNanoseconds
    self.ssrc = ssrc
    self.audioLevel = audioLevel
    self.soundEnd = soundEnd
    self.playout = playout
  }
}
