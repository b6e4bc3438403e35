import LockFree

/// Fades of a stream that stalls: out behind its last sample, and in when it returns.
///
/// Behind the last sample nothing is known, so the fade-out plays the sound before it backwards. No step is heard at
/// either end.
///
/// Thread: audio.
package struct MirroredFade: ~Copyable {
  /// Samples of a fade, at most those of a frame.
  package let length: Int
  private let channelCount: Int
  /// The newest `length` samples of each channel, oldest first.
  private let history: UnsafeMutablePointer<Float>
  /// Samples by which a fade-out still continues the sound behind its last sample; 0 if none is under way.
  package private(set) var tailLeft = 0
  /// Samples by which the fade-out has continued the sound.
  private var tailPlayed = 0
  /// Samples still to be faded in.
  private var fadeInLeft = 0

  package init(channelCount: Int, sampleRate: Int) {
    length = max(1, sampleRate / 200)
    self.channelCount = channelCount
    history = .allocate(capacity: length * channelCount)
    history.initialize(repeating: 0, count: length * channelCount)
  }

  deinit { history.deallocate() }

  /// Starts a fade-out of `count` samples behind the newest remembered sample; a shorter one continues from there.
  @_noLocks
  package mutating func begin(_ count: Int) {
    tailLeft = count
    tailPlayed = 0
  }

  /// Lets the sound after this fade in.
  @_noLocks
  package mutating func armFadeIn(_ isArmed: Bool = true) { fadeInLeft = isArmed ? length : 0 }

  /// Continues a fade-out into the rest of a frame; its end arms the fade-in.
  ///
  /// - Returns: Samples of the frame that are filled.
  @_noLocks
  package mutating func continueTail(_ output: Frame, from filled: Int) -> Int {
    let count = min(tailLeft, output.samplesPerChannel &- filled)
    guard count > 0 else { return filled }
    for channel in 0..<channelCount {
      let newest = history + channel &* length
      let plane = output.channel(channel) + filled
      for index in 0..<count {
        let gain = Float(tailLeft &- index) / Float(length)
        plane[index] = newest[length &- 1 &- tailPlayed &- index] * gain
      }
    }
    tailLeft &-= count
    tailPlayed &+= count
    if tailLeft == 0 { armFadeIn() }
    return filled &+ count
  }

  /// Crossfades `count` samples of a frame with the rest of a fade-out: the sound continues at another place.
  @_noLocks
  package mutating func crossfade(_ output: Frame, from first: Int, count: Int) {
    let count = min(tailLeft, count)
    for channel in 0..<channelCount {
      let newest = history + channel &* length
      let plane = output.channel(channel) + first
      for index in 0..<count {
        let gain = Float(tailLeft &- index) / Float(length)
        plane[index] = plane[index] * (1 - gain) + newest[length &- 1 &- tailPlayed &- index] * gain
      }
    }
    tailLeft &-= count
    tailPlayed &+= count
  }

  /// Fades `count` samples of a frame in, as far as a fade-in is armed.
  @_noLocks
  package mutating func fadeIn(_ output: Frame, from first: Int, count: Int) {
    let fading = min(fadeInLeft, count)
    guard fading > 0 else { return }
    scale(output, from: first, count: fading, start: length &- fadeInLeft, step: 1)
    fadeInLeft &-= fading
  }

  /// Scales samples by `start`, `start + step`, ... of `length` parts.
  @_noLocks
  func scale(_ output: Frame, from first: Int, count: Int, start: Int, step: Int) {
    for channel in 0..<channelCount {
      let plane = output.channel(channel) + first
      for index in 0..<count { plane[index] *= Float(start &+ step &* index) / Float(length) }
    }
  }

  /// Keeps the newest of the first `count` samples of a frame.
  @_noLocks
  package func remember(_ output: Frame, _ count: Int) {
    let kept = min(count, length)
    for channel in 0..<channelCount {
      let newest = history + channel &* length
      if kept < length { moveSamples(from: newest + kept, to: newest, count: length &- kept) }
      copySamples(from: output.channel(channel) + (count &- kept), to: newest + (length &- kept), count: kept)
    }
  }
}
