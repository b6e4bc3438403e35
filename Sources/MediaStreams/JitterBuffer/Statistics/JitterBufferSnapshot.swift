public import RTP

/// Report of a receiver after a frame.
public struct JitterBufferSnapshot: Hashable, Sendable, BitwiseCopyable {
  /// Stage of the receiver.
  public var stage: JitterBufferStage
  /// Counters of the receiver.
  public var statistics: JitterBufferStatistics
  /// Mean time that samples are to wait from their packet's arrival to their frame, in nanoseconds.
  public var targetDelayNanoseconds: Int
  /// Excess of the sender's clock rate over the receiver's, in millionths; 0 while no drift is known.
  public var drift: Double
  /// Mean difference of the packets' spacing at arrival, in nanoseconds. Source: RFC 3550, interarrival jitter.
  public var jitterNanoseconds: Double
  /// Synchronization source of the stream; nil while there is none.
  public var ssrc: UInt32?
  /// Audio level that the newest packet carries; nil if packets carry none.
  public var audioLevel: AudioLevel?
  /// Samples rendered up to the end of the last frame with sound out of a packet; 0 before one.
  public var soundEnd: Int
  /// Position in the stream up to which it has been played; nil before anything was.
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
