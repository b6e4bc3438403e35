/// Sound that is cheap to make and the same in every run.
struct Signal {
  private var state: UInt32

  /// A seed that is not 0.
  init(seed: UInt32) { state = seed }

  /// White noise in -1..<1 (Marsaglia's xorshift, 2003).
  mutating func noise() -> Float {
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    return Float(Int32(bitPattern: state)) * 0x1p-31
  }

  /// Something like a voice: bursts of a buzz at 120 Hz through one resonance, with pauses and some breath.
  static func voice(count: Int, peak: Float = 0.5) -> [Float] {
    var signal = Signal(seed: 0x5EED)
    var (low, band): (Float, Float) = (0, 0)
    var samples = [Float](repeating: 0, count: count)
    var largest: Float = 0
    for index in 0..<count {
      let syllable = Float(index % 9_600) / 9_600
      let envelope = syllable < 0.7 ? syllable * (0.7 - syllable) * 8 : 0
      let buzz = Float(index % 400) / 400 - 0.5
      let source = (buzz + signal.noise() * 0.1) * envelope
      // A state-variable filter around 700 Hz.
      band += 0.09 * (source - low - 0.2 * band)
      low += 0.09 * band
      samples[index] = band + source * 0.3
      largest = max(largest, abs(samples[index]))
    }
    return samples.map { $0 * (peak / largest) }
  }
}

/// Keeps the compiler from leaving out work whose result nobody reads.
@inline(never)
func use<Value>(_ value: Value) {}
