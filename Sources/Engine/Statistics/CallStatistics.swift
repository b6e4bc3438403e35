/// What was measured of a call as a whole; rates and losses are those of the time since the report before.
public struct CallStatistics: Hashable, Sendable {
  /// Time since the call began: see `AudioPipeline.restartCallTime`.
  public let durationMilliseconds: Int
  /// Bytes of the payloads sent so far; headers are not counted, as in W3C's webrtc-stats.
  public let sentBytes: Int
  /// Bytes of the payloads that came so far.
  public let receivedBytes: Int
  /// What was sent, in kbit/s.
  public let sentKilobitsPerSecond: Double
  /// What came, in kbit/s.
  public let receivedKilobitsPerSecond: Double
  /// The share of our packets that did not arrive, 0...1; nil where nobody has told (`AudioPipeline.setLinkFeedback`).
  public let sentLoss: Double?
  /// The share of the others' packets that did not arrive, 0...1, before any repair; nil where none was due.
  public let receivedLoss: Double?
  /// Users here, the local one counted.
  public let userCount: Int
  /// What was used of the processors; nil where the caller makes the ticks or time is virtual, so that events stay the
  /// same.
  public let processorUse: ProcessorUse?
  /// The time to the relay, or to the users where packets go straight to them, and back; nil where nobody has measured
  /// it.
  public let lastMileDelayMilliseconds: Double?
}
