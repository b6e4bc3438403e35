import Engine
import MediaStreams

extension JitterBufferStatistics {
  /// Returns the counters of two receivers together. The first one has ended, so samples that it held were never
  /// rendered.
  static func + (ended: JitterBufferStatistics, next: JitterBufferStatistics) -> JitterBufferStatistics {
    var sum = next
    for count in counts { sum[keyPath: count] += ended[keyPath: count] }
    for duration in durations { sum[keyPath: duration] += ended[keyPath: duration] }
    sum.droppedSamples += ended.heldSamples
    return sum
  }

  private static var counts: [WritableKeyPath<JitterBufferStatistics, Int>] {
    [
      \.packetsReceived, \.bytesReceived, \.packetsLost, \.packetsDiscarded, \.packetsDuplicated, \.packetsMalformed,
      \.packetsOverlapping, \.packetsFromUnknownSources, \.fecPacketsReceived, \.fecPacketsUsed,
      \.retransmittedPacketsReceived,
      \.retransmittedPacketsUsed, \.payloadMismatches, \.streamsBegun, \.sourceChanges,
      \.jitterBufferEmittedCount, \.totalSamplesReceived, \.concealedSamples, \.silentConcealedSamples,
      \.concealmentEvents, \.recoveredSamples, \.insertedSamplesForDeceleration, \.removedSamplesForAcceleration,
      \.comfortNoiseSamples, \.frozenSamples, \.outageSamples, \.decodedSamples, \.idleSamples, \.supersededSamples,
      \.droppedSamples,
      \.insertedSamplesForDrift, \.removedSamplesForDrift,
    ]
  }

  private static var durations: [WritableKeyPath<JitterBufferStatistics, Double>] {
    [\.jitterBufferDelay, \.jitterBufferTargetDelay]
  }
}
