/// Samples per channel in the buffer of a loudspeaker.
struct BufferLevels {
  /// At the least before a tick: a period for the next wake-up, and the margin.
  let target: Int
  /// At the most: a tick more.
  let highest: Int
  /// With this, the buffer may run empty before the next wake-up, if that is a little late.
  let lowest: Int

  /// Creates the levels of a format for a margin in seconds.
  init(_ format: PCMFormat, margin: Double) {
    target = min(format.bufferCount, format.periodCount + Int(margin * Double(format.sampleRate)))
    highest = min(format.bufferCount, target + format.sampleRate / 100)
    lowest = format.periodCount + (target - format.periodCount) / 4
  }
}
