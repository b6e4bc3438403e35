import Engine
import MediaStreams

extension ReceiverStatistics {
  /// What two receivers have counted together, the first of which has ended: what it held was never rendered.
  static func + (ended: ReceiverStatistics, next: ReceiverStatistics) -> ReceiverStatistics {
    var sum = next
    for count in counts { sum[keyPath: count] += ended[keyPath: count] }
    for duration in durations { sum[keyPath: duration] += ended[keyPath: duration] }
    sum.droppedSamples += ended.heldSamples
    return sum
  }

  private static var counts: [WritableKeyPath<ReceiverStatistics, Int>] {
    [
      \.packetsReceived, \.bytesReceived, \.packetsLost, \.packetsDiscarded, \.packetsDuplicated, \.packetsMalformed,
      \.packetsOverlapping, \.packetsStray, \.fecPacketsReceived, \.fecPacketsUsed, \.retransmittedPacketsReceived,
      \.retransmittedPacketsUsed, \.payloadMismatches, \.streamsBegun, \.sourceChanges,
      \.jitterBufferEmittedCount, \.totalSamplesReceived, \.concealedSamples, \.silentConcealedSamples,
      \.concealmentEvents, \.recoveredSamples, \.insertedSamplesForDeceleration, \.removedSamplesForAcceleration,
      \.comfortNoiseSamples, \.frozenSamples, \.outageSamples, \.decodedSamples, \.idleSamples, \.supersededSamples,
      \.droppedSamples,
      \.insertedSamplesForDrift, \.removedSamplesForDrift,
    ]
  }

  private static var durations: [WritableKeyPath<ReceiverStatistics, Double>] {
    [\.jitterBufferDelay, \.jitterBufferTargetDelay]
  }
}
