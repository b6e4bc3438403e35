package import CallSimulation

/// Seconds of one direction of a call, for a picture.
package struct DirectionBin: EnvelopeBin, Hashable {
  /// Seconds with sound from packets; the means are over those.
  private var heardCount: Int
  private var delaySum: Double
  private var bufferSum: Double
  private var targetSum: Double
  private var concealedSum: Double
  /// Packets that were sent; `lostCount` counts those that did not arrive.
  private var packetCount: Int
  private var lostCount: Int
  /// Seconds in which both users were in the call.
  private var presentCount: Int

  /// Creates a cell of one second; nil while one of the two users was not in the call.
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

  /// Mean delay in milliseconds; nil without sound from packets. `buffer` and `target` are means in the same way.
  package var delay: Double? { heardCount == 0 ? nil : delaySum / Double(heardCount) }
  package var buffer: Double? { heardCount == 0 ? nil : bufferSum / Double(heardCount) }
  package var target: Double? { heardCount == 0 ? nil : targetSum / Double(heardCount) }
  /// Concealed share in percent of the time; nil while one of the two users was not in the call.
  package var concealed: Double? { presentCount == 0 ? nil : concealedSum / Double(presentCount) / 10 }
  /// Lost share in percent of the packets; nil if no packet was sent.
  package var lost: Double? { packetCount == 0 ? nil : 100 * Double(lostCount) / Double(packetCount) }

  package mutating func merge(_ next: DirectionBin) {
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
