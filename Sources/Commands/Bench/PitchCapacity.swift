import PitchDetection

/// Measures how fast the pitch of a voice is found.
enum PitchCapacity {
  private static let seconds = 20

  /// Returns the hours of audio that are tracked in an hour, in the best of two runs.
  static func measure() throws -> Double {
    // A voice-like sound: pulses whose pitch rises from 100 to 200 Hz.
    var phase: Float = 0
    let samples = (0..<48_000 * seconds).map { index in
      phase += (100 + 100 * Float(index) / Float(48_000 * seconds)) / 48_000
      if phase >= 1 { phase -= 1 }
      return (0.5 - phase) * 0.4
    }
    let cost = try (0..<2).map { _ in try track(samples) }.min()!
    return Double(seconds) / cost
  }

  /// Returns the time that it takes to track `samples`, in seconds.
  private static func track(_ samples: [Float]) throws -> Double {
    var tracker = try PitchTracker(sampleRate: 48_000)
    return ContinuousClock().measure {
      samples.withUnsafeBufferPointer { samples in
        for frame in 0..<samples.count / 480 {
          _ = tracker.process(samples.baseAddress! + frame * 480, samplesPerChannel: 480)
        }
      }
    } / .seconds(1)
  }
}
