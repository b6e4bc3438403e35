import DSP

/// Detects frames with the period of a voice: vowels and voiced consonants, but neither keystrokes nor noise.
///
/// A frame is voiced if the correlation of the newest 30 ms with the sound a period before is 0.86 or more; noise
/// lowers that limit by its share of the power.
///
/// Thread: one at a time. Real-time: `detect` is wait-free.
struct VoicedFrameDetector: ~Copyable {
  private static let threshold: Float = 0.86
  /// Least share of the power that is not noise; below, noise alone would count as voiced. At 5 dB of noise, speech has
  /// as many voiced frames as without.
  private static let leastClean: Float = 0.6

  private var history: SampleHistory
  private let meter: VoicingMeter

  init(sampleRate: Int, channelCount: Int, maximumCount: Int) {
    let decimation = max(1, sampleRate / 4_000)
    meter = VoicingMeter(sampleRate: sampleRate, decimation: decimation, channelCount: channelCount)
    history = SampleHistory(
      reach: (meter.reach + 16) * decimation + maximumCount, decimation: decimation, channelCount: channelCount,
      maximumCount: maximumCount)
  }

  /// Takes the next frame, planes that lie `stride` samples apart.
  ///
  /// - Parameters:
  ///   - planes: first channel of the frame.
  ///   - stride: samples from one channel to the next.
  ///   - count: samples per channel.
  ///   - clean: share of the frame's power that is not noise.
  ///   - isNeeded: whether the result is used.
  /// - Returns: whether the frame is voiced; false if the result is not needed.
  @_noLocks
  mutating func detect(
    _ planes: UnsafePointer<Float>, stride: Int, count: Int, clean: Float, isNeeded: Bool
  ) -> Bool {
    history.take(planes, stride: stride, count: count)
    history.thin(count: count)
    let isVoiced =
      isNeeded && clean > Self.leastClean && meter.voicing(history, end: history.thinCount) > Self.threshold * clean
    history.pass(count: count)
    return isVoiced
  }
}
