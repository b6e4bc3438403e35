/// Code of telephone systems for a sample in eight bits.
///
/// Real-time: wait-free. Source: ITU-T G.711.
package enum Companding: String, CaseIterable, Hashable, Sendable, BitwiseCopyable {
  case aLaw = "alaw"
  case muLaw = "mulaw"

  /// Added to sizes of the mu-law, so that each segment begins at a power of two.
  private static var bias: Int { @_noLocks get { 0x84 } }

  /// Returns the sample of a byte, of 16 bits.
  package func sample(of byte: UInt8) -> Int16 {
    switch self {
    case .aLaw:
      // Every other bit is inverted, and the sign set for samples above zero.
      let bits = byte ^ 0x55
      let (segment, step) = (Int(bits >> 4 & 7), Int(bits & 0x0F))
      let size = segment == 0 ? step << 4 + 8 : (step << 4 + 0x108) << (segment - 1)
      return Int16(bits & 0x80 != 0 ? size : -size)
    case .muLaw:
      let bits = ~byte
      let size = ((Int(bits & 0x0F) << 3 + Self.bias) << Int(bits >> 4 & 7)) - Self.bias
      return Int16(bits & 0x80 != 0 ? -size : size)
    }
  }

  /// Returns the byte for a sample of 16 bits: half a step of its segment off at most.
  @_noLocks
  package func byte(of sample: Int16) -> UInt8 {
    let size = Int(sample.magnitude)
    switch self {
    case .aLaw:
      // The last four bits are below the smallest step.
      let steps = min(size, 32_767) &>> 4
      let segment = max(0, Companding.highestBit(steps) &- 3)
      let code = segment &<< 4 | (steps &>> max(0, segment &- 1)) & 0x0F
      return UInt8(truncatingIfNeeded: code | (sample < 0 ? 0 : 0x80)) ^ 0x55
    case .muLaw:
      let biased = min(size, 32_635) &+ Companding.bias
      let segment = Companding.highestBit(biased) &- 7
      let code = segment &<< 4 | (biased &>> (segment &+ 3)) & 0x0F
      return ~UInt8(truncatingIfNeeded: code | (sample < 0 ? 0x80 : 0))
    }
  }

  /// Returns the place of a number's highest bit; -1 for 0.
  @_noLocks
  private static func highestBit(_ number: Int) -> Int { Int.bitWidth &- 1 &- number.leadingZeroBitCount }
}
