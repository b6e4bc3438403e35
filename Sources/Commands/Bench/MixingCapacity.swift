import AudioGraph
import Engine
import Platform

/// Measures how many sources can be mixed.
enum MixingCapacity {
  private static let sourceCount = 50
  private static let seconds = 2

  /// Returns the number of sources that fit into a tick of 10 ms.
  ///
  /// It follows from the cost of 50 sources less that of one, in the best of three runs.
  static func measure() throws -> Double {
    let cost = try (0..<3).map { _ in try tick(sourceCount: sourceCount) - tick(sourceCount: 1) }.min()!
    return 10_000_000 / max(1, cost / Double(sourceCount - 1))
  }

  /// Returns the median cost of a tick with `sourceCount` sources, in nanoseconds.
  private static func tick(sourceCount: Int) throws -> Double {
    let pipeline = try AudioPipeline(mode: .offline)
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 1)
    let samples = (0..<48_000 * seconds).map { Float($0 % 480) / 48_000 }
    for uid in 1...UInt32(sourceCount) {
      let source = try pipeline.addRemoteUser(uid, from: .push(format, buffer: .seconds(seconds + 1)))
      _ = source.push(samples.span)
      source.finish()
    }
    try pipeline.runToEnd()
    return Double(pipeline.tickCost.nanoseconds(atQuantile: 0.5))
  }
}
