import AudioGraph

extension PCMRequest {
  /// The request for a source's or a sink's format.
  init(_ format: AudioFormat, _ options: DeviceOptions) {
    let period = max(2, min(100, Int((options.period.seconds * 1_000).rounded())))
    self.init(
      sampleRate: format.sampleRate, channelCount: format.channelCount, periodMilliseconds: period)
    // The buffer holds what waits for the next wake-up, the margin with what may be added to it, and a tick.
    let held = Double(2 * period) + options.margin.seconds * 1_000 + 10 + 100
    periodsPerBuffer = max(3, Int((held / Double(period)).rounded(.up)))
  }
}
