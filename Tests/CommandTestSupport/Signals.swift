import Foundation
import TestSupport

/// Sounds that bring mistakes to light.
package enum Signals {
  /// Full-scale squares, the extremes, a sine whose waves rise 3 dB over its samples, and noise: 1/4 s and 7 samples.
  package static func hard(rate: Int, channels: Int) -> [Double] {
    var noise = SeededGenerator(seed: UInt64(rate))
    let count = rate / 4 + 7
    return (0..<count).flatMap { index in
      (0..<channels).map { channel in
        switch index * 4 / count {
        case 0: (index / (10 + channel)) % 2 == 0 ? 1 : -1
        case 1: [1, -1, 0.5, -1, 0][index % 5]
        // A quarter of the rate at 45 degrees: every sample at full scale, the wave between them 1.41 times that.
        case 2: (index + channel) % 4 < 2 ? 1 : -1
        default: Double.random(in: -1...1, using: &noise)
        }
      }
    }
  }

  /// Samples in a format, rounded and cut to its range.
  package static func wave(_ format: String, rate: Int, channels: Int, _ samples: [Double]) -> Wave {
    let width = Wave.width(format)
    let data: [UInt8] = samples.flatMap { sample -> [UInt8] in
      switch format {
      case "f32": return Wave.bytes(Float(sample).bitPattern)
      case "f64": return Wave.bytes(sample.bitPattern)
      default:
        let limit = pow(2, Double(width * 8 - 1))
        let value = Int64(min(limit - 1, max(-limit, (sample * limit).rounded())))
        return Array(Wave.bytes(value)[..<width])
      }
    }
    return Wave(format: format, rate: rate, channels: channels, data: data)
  }

  /// A sine for one channel.
  package static func sine(_ hertz: Double, rate: Int, seconds: Double, amplitude: Double) -> [Double] {
    (0..<Int(seconds * Double(rate))).map { amplitude * sin(2 * .pi * hertz * Double($0) / Double(rate)) }
  }
}
