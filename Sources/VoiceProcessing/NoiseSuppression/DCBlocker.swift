import AudioGraph
import DSP

/// Removes a DC offset, which would look like an endless voice because it repeats with every period.
///
/// The mean of the sound follows within two seconds, sooner at the beginning, and moves in a straight line through each
/// frame. A DC offset of -66 dBFS stays, since words and knocks cause as much: silence between them stays silence.
struct DCBlocker: ~Copyable {
  /// Most frames that the mean covers.
  private static var longest: Float { @_noLocks get { 200 } }
  /// Magnitude of the DC offset that stays.
  private static var least: Float { @_noLocks get { 0.0005 } }
  /// Mean of each channel.
  private let means: SpectrumBuffer
  private let before: SpectrumBuffer
  private let channelCount: Int
  private var frames: Float = 0
  /// Share of the means that is removed; the same in each channel, so that a sound stays in its place.
  private var share: Float = 0

  init(channelCount: Int) {
    self.channelCount = channelCount
    means = SpectrumBuffer(channelCount)
    before = SpectrumBuffer(channelCount)
  }

  /// Removes the DC offset from the newest frame, in place.
  ///
  /// - Parameters:
  ///   - history: the sound, with the newest frame at its end.
  ///   - count: samples of the frame in each channel.
  ///   - isSilent: whether the frame is digital silence, which does not show a DC offset.
  @_noLocks
  mutating func remove(from history: borrowing SampleHistory, count: Int, isSilent: Bool) {
    var greatest: Float = 0
    if isSilent {
      copySamples(from: means.pointer, to: before.pointer, count: channelCount)
    } else {
      greatest = follow(history, count: count)
    }
    let past = share
    share = greatest > DCBlocker.least ? 1 - DCBlocker.least / greatest : 0
    guard past != 0 || share != 0 else { return }
    for channel in 0..<channelCount {
      let samples = history.plane(channel) + history.length
      let from = past * before.pointer[channel]
      let step = (share * means.pointer[channel] - from) / Float(count)
      for index in 0..<count { samples[index] -= from + step * Float(index &+ 1) }
    }
  }

  /// Brings the means up to date.
  ///
  /// - Returns: the greatest magnitude of them.
  @_noLocks
  private mutating func follow(_ history: borrowing SampleHistory, count: Int) -> Float {
    frames = min(frames + 1, DCBlocker.longest)
    var greatest: Float = 0
    for channel in 0..<channelCount {
      let old = means.pointer[channel]
      let mean = mean(of: history.plane(channel) + history.length, count: count)
      before.pointer[channel] = old
      // A mean beyond full scale is a fault, not a DC offset.
      means.pointer[channel] = mean.magnitude < 1 ? old + (mean - old) / frames : old
      greatest = max(greatest, means.pointer[channel].magnitude)
    }
    return greatest
  }

  /// Restarts without a DC offset.
  @_noLocks
  mutating func reset() {
    means.fill(0)
    (frames, share) = (0, 0)
  }

  @_noLocks
  private func mean(of samples: UnsafeMutablePointer<Float>, count: Int) -> Float {
    var sums = SIMD8<Float>.zero
    let whole = count &- count % 8
    for index in stride(from: 0, to: whole, by: 8) { sums += samples.eight(index) }
    var sum = sums.sum()
    for index in whole..<count { sum += samples[index] }
    return sum / Float(count)
  }
}
