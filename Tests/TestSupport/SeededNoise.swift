/// Noise that repeats from a seed, on the grid of 16-bit samples so that files of every format keep it.
package func seededNoise(count: Int, seed: UInt64, amplitude: Float = 0.5) -> [Float] {
  var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  return (0..<count).map { _ in
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    let unit = Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
    return min(32_767, (unit * amplitude * 32_768).rounded()) / 32_768
  }
}
