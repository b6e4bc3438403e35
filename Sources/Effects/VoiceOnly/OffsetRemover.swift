import AudioGraph

/// Takes a constant offset out of a sound, which would look like a voice without end: its course has every period.
///
/// The mean of what is heard follows within two seconds, at the beginning sooner, and moves in a straight line through
/// each frame. A drift that words bring along stays.
struct OffsetRemover: ~Copyable {
  /// How many frames the mean is of: at first, and at most.
  private static var range: (first: Float, last: Float) { @_noLocks get { (10, 200) } }
  /// Of each channel.
  private let means: BinMemory
  private var frames = OffsetRemover.range.first

  init(channelCount: Int) { means = BinMemory(channelCount) }

  /// Goes on by a frame.
  @_noLocks
  mutating func advance() { frames = min(frames + 1, OffsetRemover.range.last) }

  /// Works in place on a frame of one channel.
  @_noLocks
  func remove(from samples: UnsafeMutablePointer<Float>, count: Int, channel: Int) {
    let old = means.pointer[channel]
    let mean = mean(of: samples, count: count)
    // Beyond full scale it is a fault and no offset.
    let new = mean.magnitude < 1 ? old + (mean - old) / frames : old
    means.pointer[channel] = new
    guard old != 0 || new != 0 else { return }
    let step = (new - old) / Float(count)
    for index in 0..<count { samples[index] -= old + step * Float(index &+ 1) }
  }

  /// Begins anew, as after a silence without end.
  @_noLocks
  mutating func reset() {
    means.fill(0)
    frames = OffsetRemover.range.first
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
