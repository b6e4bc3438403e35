import Glibc
import RTP

/// Says how loud samples are in RFC 6464's measure: whole dB below a square wave at full scale, by its RMS.
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

  /// The level of samples, of all channels together.
  ///
  /// - Parameter hasVoice: whether somebody speaks in them.
  @_noLocks
  func level(_ samples: UnsafePointer<Float>, count: Int, hasVoice: Bool) -> AudioLevel {
    var sum: Float = 0
    for index in 0..<count { sum += samples[index] * samples[index] }
    let meanSquare = count > 0 ? sum / Float(count) : 0
    // How many limits lie above it.
    var (low, high) = (0, AudioLevelScale.silence)
    while low < high {
      let middle = (low &+ high) / 2
      if limits[middle] > meanSquare { low = middle &+ 1 } else { high = middle }
    }
    return AudioLevel(decibelsBelowOverload: UInt8(truncatingIfNeeded: low), hasVoice: hasVoice)
  }
}
