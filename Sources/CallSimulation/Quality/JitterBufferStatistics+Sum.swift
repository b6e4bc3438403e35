import Engine
import MediaStreams

extension JitterBufferStatistics {
  /// Returns the counters of two receivers together. The first one has ended, so samples that it held were never
  /// rendered.
  static func + (ended: JitterBufferStatistics, next: JitterBufferStatistics) -> JitterBufferStatistics {
    var sum = next
    sum.packetsReceived += ended.packetsReceived
    sum.bytesReceived += ended.bytesReceived
    sum.packetsLost += ended.packetsLost
    sum.packetsDiscarded += ended.packetsDiscarded
    sum.packetsDuplicated += ended.packetsDuplicated
    sum.packetsMalformed += ended.packetsMalformed
    sum.packetsOverlapping += ended.packetsOverlapping
    sum.packetsFromUnknownSources += ended.packetsFromUnknownSources
    sum.fecPacketsReceived += ended.fecPacketsReceived
    sum.fecPacketsUsed += ended.fecPacketsUsed
    sum.retransmittedPacketsReceived += ended.retransmittedPacketsReceived
    sum.retransmittedPacketsUsed += ended.retransmittedPacketsUsed
    sum.payloadMismatches += ended.payloadMismatches
    sum.streamsBegun += ended.streamsBegun
    sum.sourceChanges += ended.sourceChanges
    sum.jitterBufferEmittedCount += ended.jitterBufferEmittedCount
    sum.totalSamplesReceived += ended.totalSamplesReceived
    sum.concealedSamples += ended.concealedSamples
    sum.silentConcealedSamples += ended.silentConcealedSamples
    sum.concealmentEvents += ended.concealmentEvents
    sum.recoveredSamples += ended.recoveredSamples
    sum.insertedSamplesForDeceleration += ended.insertedSamplesForDeceleration
    sum.removedSamplesForAcceleration += ended.removedSamplesForAcceleration
    sum.comfortNoiseSamples += ended.comfortNoiseSamples
    sum.frozenSamples += ended.frozenSamples
    sum.outageSamples += ended.outageSamples
    sum.decodedSamples += ended.decodedSamples
    sum.idleSamples += ended.idleSamples
    sum.supersededSamples += ended.supersededSamples
    sum.droppedSamples += ended.droppedSamples
    sum.insertedSamplesForDrift += ended.insertedSamplesForDrift
    sum.removedSamplesForDrift += ended.removedSamplesForDrift
    sum.jitterBufferDelay += ended.jitterBufferDelay
    sum.jitterBufferTargetDelay += ended.jitterBufferTargetDelay
    sum.droppedSamples += ended.heldSamples
    return sum
  }
}
