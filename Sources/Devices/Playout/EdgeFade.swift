/// Fades interleaved sound out at an interruption, and in behind it.
///
/// Behind the last sample nothing is known, so the fade-out plays the newest samples backwards.
///
/// Thread: the device thread.
struct EdgeFade {
  /// Samples per channel of a fade.
  let length: Int
  private let channelCount: Int
  /// The newest samples, oldest first.
  private var history: [Float]
  private var isFadingIn = false

  init(channelCount: Int, sampleRate: Int) {
    length = max(1, sampleRate / 200)
    self.channelCount = channelCount
    history = [Float](repeating: 0, count: length * channelCount)
  }

  /// Keeps the newest of `count` samples per channel.
  mutating func remember(_ samples: UnsafePointer<Float>, count: Int) {
    let kept = min(count, length) * channelCount
    history.removeFirst(kept)
    history.append(
      contentsOf: UnsafeBufferPointer(start: samples + count * channelCount - kept, count: kept))
  }

  /// Writes the fade-out behind the newest sample, and silence behind it. The sound that follows is faded in.
  mutating func writeEnd(to output: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count {
      let gain = index < length ? Float(length - index) / Float(length) : 0
      for channel in 0..<channelCount {
        output[index * channelCount + channel] =
          gain > 0 ? history[(length - 1 - index) * channelCount + channel] * gain : 0
      }
    }
    isFadingIn = true
  }

  /// Fades the beginning of samples in, if they follow a fade-out.
  mutating func fadeIn(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    guard isFadingIn else { return }
    isFadingIn = false
    for index in 0..<min(count, length) * channelCount {
      samples[index] *= Float(index / channelCount) / Float(length)
    }
  }

  /// Crossfades from the newest sample to the beginning of samples from another place.
  func crossfade(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<min(count, length) {
      let gain = Float(length - index) / Float(length)
      for channel in 0..<channelCount {
        let place = index * channelCount + channel
        samples[place] =
          samples[place] * (1 - gain) + history[(length - 1 - index) * channelCount + channel] * gain
      }
    }
  }
}
