/// Code of telephone systems for a sample in eight bits.
///
/// Source: ITU-T G.711.
package enum Companding: String, CaseIterable, Hashable, Sendable {
  case aLaw = "alaw"
  case muLaw = "mulaw"

  /// Returns the sample of a byte, of 16 bits.
  func sample(of byte: UInt8) -> Int16 {
    switch self {
    case .aLaw:
      // Every other bit is inverted, and the sign set for samples above zero.
      let bits = byte ^ 0x55
      let (segment, step) = (Int(bits >> 4 & 7), Int(bits & 0x0F))
      let size = segment == 0 ? step << 4 + 8 : (step << 4 + 0x108) << (segment - 1)
      return Int16(bits & 0x80 != 0 ? size : -size)
    case .muLaw:
      let bits = ~byte
      let size = ((Int(bits & 0x0F) << 3 + 0x84) << Int(bits >> 4 & 7)) - 0x84
      return Int16(bits & 0x80 != 0 ? -size : size)
    }
  }
}

/// The sample of each byte as Float32 in -1 to 1.
final class CompandingTable {
  let samples: UnsafeMutablePointer<Float>

  init(_ companding: Companding) {
    samples = .allocate(capacity: 256)
    for byte in 0..<256 { (samples + byte).initialize(to: Float(companding.sample(of: UInt8(byte))) * 0x1p-15) }
  }

  deinit { samples.deallocate() }
}
