import AudioGraph
import DSP

/// Takes a constant offset out of a sound, which would look like a voice without end: its course has every period.
///
/// The mean of what is heard follows within two seconds, at the beginning sooner, and moves in a straight line through
/// each frame. -66 dBFS of it stay, as what words and knocks bring along: silence between them stays silence.
struct DCBlocker: ~Copyable {
  /// How many frames the mean is of at most.
  private static var longest: Float { @_noLocks get { 200 } }
  /// The least that is taken out.
  private static var least: Float { @_noLocks get { 0.0005 } }
  /// Of each channel.
  private let means: SpectrumBuffer
  private let before: SpectrumBuffer
  private let channelCount: Int
  private var frames: Float = 0
  /// How much of the means is taken out, the same of each, so that a sound stays in its place.
  private var share: Float = 0

  init(channelCount: Int) {
    self.channelCount = channelCount
    means = SpectrumBuffer(channelCount)
    before = SpectrumBuffer(channelCount)
  }

  /// Works in place on the newest frame.
  ///
  /// - Parameter isSilent: whether it is digital silence, which has no offset and tells nothing of one.
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

  /// Brings the means up to date. Returns: the greatest of them.
  @_noLocks
  private mutating func follow(_ history: borrowing SampleHistory, count: Int) -> Float {
    frames = min(frames + 1, DCBlocker.longest)
    var greatest: Float = 0
    for channel in 0..<channelCount {
      let old = means.pointer[channel]
      let mean = mean(of: history.plane(channel) + history.length, count: count)
      before.pointer[channel] = old
      // Beyond full scale it is a fault and no offset.
      means.pointer[channel] = mean.magnitude < 1 ? old + (mean - old) / frames : old
      greatest = max(greatest, means.pointer[channel].magnitude)
    }
    return greatest
  }

  /// Begins anew.
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
