public import Platform

/// Statistics of a call as a whole; rates and losses are those of the time since the previous report.
public struct CallStatistics: Hashable, Sendable {
  /// Time since the call began, in milliseconds: see `AudioPipeline.restartCallTime`.
  public let durationMilliseconds: Int
  /// Payload bytes sent so far; headers are not counted, as in W3C's webrtc-stats.
  public let sentBytes: Int
  /// Payload bytes received so far; headers are not counted.
  public let receivedBytes: Int
  /// Bitrate of the sent payloads, in kbit/s.
  public let sentKilobitsPerSecond: Double
  /// Bitrate of the received payloads, in kbit/s.
  public let receivedKilobitsPerSecond: Double
  /// Share of our packets that did not arrive, 0...1; nil if nobody has reported it (`AudioPipeline.setLinkFeedback`).
  public let sentLoss: Double?
  /// Share of the other users' packets that did not arrive, 0...1, before any repair; nil if none was due.
  public let receivedLoss: Double?
  /// Number of users, including the local one: those of a channel that an engine has joined, else those here.
  public package(set) var userCount: Int
  /// Use of the processors; nil if the caller makes the ticks or time is virtual, so that events stay the same.
  public let processorUse: ProcessorUse?
  /// Round trip to the relay, or to the users if they receive packets directly, in milliseconds; nil if nobody has
  /// measured it.
  public let lastMileDelayMilliseconds: Double?
}
