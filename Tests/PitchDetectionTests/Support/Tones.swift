import Foundation
import VoiceCorpus

/// Sounds whose pitch is known by closed form.
enum Tones {
  /// Harmonics up to `limit` Hz whose strength falls as 1/n; `hertz` gives the pitch at a time in seconds.
  static func glide(seconds: Double, sampleRate: Int, limit: Double = 3_000, _ hertz: (Double) -> Double) -> [Float] {
    var phase = 0.0
    return (0..<Int(seconds * Double(sampleRate))).map { index in
      let pitch = hertz(Double(index) / Double(sampleRate))
      phase += pitch / Double(sampleRate)
      phase -= phase.rounded(.down)
      // sin(nx) from sin((n-1)x) and sin((n-2)x): Chebyshev's recurrence.
      let turn = 2 * cos(2 * Double.pi * phase)
      var (before, here) = (0.0, sin(2 * Double.pi * phase))
      var sum = here
      var number = 1.0
      while (number + 1) * pitch < limit {
        (before, here) = (here, turn * here - before)
        number += 1
        sum += here / number
      }
      return Float(0.1 * sum)
    }
  }

  static func steady(_ hertz: Double, seconds: Double, sampleRate: Int, limit: Double = 3_000) -> [Float] {
    glide(seconds: seconds, sampleRate: sampleRate, limit: limit) { _ in hertz }
  }

  static func noise(seconds: Double, sampleRate: Int, level: Float, seed: UInt64) -> [Float] {
    var random = CorpusRandom(seed: seed)
    return (0..<Int(seconds * Double(sampleRate))).map { _ in level * Float(random.noise()) }
  }
}
