package import CallSimulation

/// Seconds of one direction of a call, as a picture shows them.
package struct DirectionCell: EnvelopeCell, Hashable {
  /// Seconds in which sound came out of packets; the means are over those.
  private var heardCount: Int
  private var delaySum: Double
  private var bufferSum: Double
  private var targetSum: Double
  private var concealedSum: Double
  /// Packets that were sent, and those that did not come.
  private var packetCount: Int
  private var lostCount: Int
  /// Whether the two were in the call.
  private var presentCount: Int

  /// A second; nil while one of the two was not in the call.
  package init(_ second: HeardSecond?) {
    let isHeard = second?.delayMilliseconds != nil
    heardCount = isHeard ? 1 : 0
    delaySum = second?.delayMilliseconds ?? 0
    bufferSum = isHeard ? second?.bufferMilliseconds ?? 0 : 0
    targetSum = isHeard ? second?.targetMilliseconds ?? 0 : 0
    concealedSum = second?.concealedMilliseconds ?? 0
    lostCount = second?.lost ?? 0
    packetCount = second?.sent ?? 0
    presentCount = second == nil ? 0 : 1
  }

  /// Means in milliseconds; nil where nothing came out of packets.
  package var delay: Double? { heardCount == 0 ? nil : delaySum / Double(heardCount) }
  package var buffer: Double? { heardCount == 0 ? nil : bufferSum / Double(heardCount) }
  package var target: Double? { heardCount == 0 ? nil : targetSum / Double(heardCount) }
  /// In percent of the time; nil while one of the two was not in the call.
  package var concealed: Double? { presentCount == 0 ? nil : concealedSum / Double(presentCount) / 10 }
  /// In percent of the packets.
  package var lost: Double? { packetCount == 0 ? nil : 100 * Double(lostCount) / Double(packetCount) }

  package mutating func merge(_ next: DirectionCell) {
    heardCount += next.heardCount
    delaySum += next.delaySum
    bufferSum += next.bufferSum
    targetSum += next.targetSum
    concealedSum += next.concealedSum
    packetCount += next.packetCount
    lostCount += next.lostCount
    presentCount += next.presentCount
  }
}
