/// Samples, and what is known of their pitch.
public struct Utterance: Sendable {
  /// Samples per second, in Hz.
  public let sampleRate: Int
  /// One channel.
  public var samples: [Float]
  /// The pitch in Hz at every millisecond, 0 where nothing is voiced.
  public let truth: [Float]

  /// Samples with a truth of one row for each millisecond.
  public init(sampleRate: Int, samples: [Float], truth: [Float]) {
    self.sampleRate = sampleRate
    self.samples = samples
    self.truth = truth
  }

  /// The pitch in Hz at a time; 0 where nothing is voiced, and outside.
  public func hertz(at seconds: Double) -> Float {
    let index = Int((seconds * 1_000).rounded())
    return truth.indices.contains(index) ? truth[index] : 0
  }

  /// The mean power of the samples where the truth is voiced.
  public var voicedPower: Double {
    var (sum, count) = (0.0, 0)
    let step = sampleRate / 1_000
    for (millisecond, hertz) in truth.enumerated() where hertz > 0 {
      for index in millisecond * step..<min(samples.count, (millisecond + 1) * step) {
        sum += Double(samples[index]) * Double(samples[index])
        count += 1
      }
    }
    return count == 0 ? 0 : sum / Double(count)
  }
}
