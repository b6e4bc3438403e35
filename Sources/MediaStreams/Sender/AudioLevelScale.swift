import Glibc
import RTP

/// Measures the loudness of samples by RFC 6464: whole dB below a square wave at full scale, by its RMS.
///
/// Real-time: wait-free; a sum over the samples and seven comparisons.
struct AudioLevelScale: ~Copyable {
  private static var silence: Int { @_noLocks get { 127 } }
  /// Mean squares at which levels change, the loudest first: halfway between two whole dB.
  private let limits: UnsafeMutablePointer<Float>

  init() {
    limits = .allocate(capacity: AudioLevelScale.silence)
    for level in 0..<AudioLevelScale.silence {
      (limits + level).initialize(to: Float(pow(10, -(Double(level) + 0.5) / 10)))
    }
  }

  deinit { limits.deallocate() }

  /// Returns the level of samples, of all channels together.
  ///
  /// - Parameters:
  ///   - samples: the samples.
  ///   - count: number of samples.
  ///   - hasVoice: whether somebody speaks in them.
  @_noLocks
  func level(_ samples: UnsafePointer<Float>, count: Int, hasVoice: Bool) -> AudioLevel {
    var sum: Float = 0
    for index in 0..<count { sum += samples[index] * samples[index] }
    let meanSquare = count > 0 ? sum / Float(count) : 0
    // The number of limits above it.
    var (low, high) = (0, AudioLevelScale.silence)
    while low < high {
      let middle = (low &+ high) / 2
      if limits[middle] > meanSquare { low = middle &+ 1 } else { high = middle }
    }
    return AudioLevel(decibelsBelowOverload: UInt8(truncatingIfNeeded: low), hasVoice: hasVoice)
  }
}
