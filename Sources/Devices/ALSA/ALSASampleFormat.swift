import AudioGraph
import CALSA

/// Layout of a sample in the buffer of a PCM, in the order of preference.
///
/// An integer n of b bits stands for n / 2^(b - 1). Floats are rounded to the nearest integer, ties to even, and
/// saturate; NaN becomes 0. Bytes are in little-endian order, as on all of Swift's Linux machines.
enum ALSASampleFormat: CaseIterable, Hashable, Sendable {
  case float32
  case int32
  /// 24 bits in the low bytes of 32.
  case int24In32
  /// 24 bits in three bytes.
  case int24
  case int16
  /// 8 bits, with 128 for silence.
  case uint8

  /// Bytes of a sample.
  var byteCount: Int {
    switch self {
    case .float32, .int32, .int24In32: 4
    case .int24: 3
    case .int16: 2
    case .uint8: 1
    }
  }

  /// Constant of ALSA.
  var constant: snd_pcm_format_t {
    switch self {
    case .float32: SND_PCM_FORMAT_FLOAT_LE
    case .int32: SND_PCM_FORMAT_S32_LE
    case .int24In32: SND_PCM_FORMAT_S24_LE
    case .int24: SND_PCM_FORMAT_S24_3LE
    case .int16: SND_PCM_FORMAT_S16_LE
    case .uint8: SND_PCM_FORMAT_U8
    }
  }

  /// Converts `count` samples of this layout.
  func decode(_ input: UnsafeRawPointer, _ output: UnsafeMutablePointer<Float>, count: Int) {
    switch self {
    case .float32:
      output.update(from: input.assumingMemoryBound(to: Float.self), count: count)
    case .int32:
      let input = input.assumingMemoryBound(to: Int32.self)
      for index in 0..<count { output[index] = Float(input[index]) * 0x1p-31 }
    case .int24In32:
      let input = input.assumingMemoryBound(to: Int32.self)
      // The high byte is undefined.
      for index in 0..<count { output[index] = Float((input[index] << 8) >> 8) * 0x1p-23 }
    case .int24:
      let input = input.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count {
        let bytes = input + 3 * index
        let high = Int32(Int8(bitPattern: bytes[2])) << 16
        output[index] = Float(high | Int32(bytes[1]) << 8 | Int32(bytes[0])) * 0x1p-23
      }
    case .int16:
      SampleConversion.toFloat(input.assumingMemoryBound(to: Int16.self), output, count: count)
    case .uint8:
      let input = input.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count { output[index] = Float(Int32(input[index]) - 128) * 0x1p-7 }
    }
  }

  /// Converts `count` samples to this layout.
  func encode(_ input: UnsafePointer<Float>, _ output: UnsafeMutableRawPointer, count: Int) {
    switch self {
    case .float32:
      let output = output.assumingMemoryBound(to: Float.self)
      for index in 0..<count { output[index] = input[index] == input[index] ? input[index] : 0 }
    case .int32:
      let output = output.assumingMemoryBound(to: Int32.self)
      for index in 0..<count { output[index] = Self.integer(input[index], fullScale: 0x1p31) }
    case .int24In32:
      let output = output.assumingMemoryBound(to: Int32.self)
      for index in 0..<count { output[index] = Self.integer(input[index], fullScale: 0x1p23) }
    case .int24:
      let output = output.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count {
        let bits = UInt32(bitPattern: Self.integer(input[index], fullScale: 0x1p23))
        output[3 * index] = UInt8(truncatingIfNeeded: bits)
        output[3 * index + 1] = UInt8(truncatingIfNeeded: bits >> 8)
        output[3 * index + 2] = UInt8(truncatingIfNeeded: bits >> 16)
      }
    case .int16:
      SampleConversion.toInt16(input, output.assumingMemoryBound(to: Int16.self), count: count)
    case .uint8:
      let output = output.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count { output[index] = UInt8(Self.integer(input[index], fullScale: 0x1p7) + 128) }
    }
  }

  // Double holds every integer of 32 bits.
  private static func integer(_ sample: Float, fullScale: Double) -> Int32 {
    let scaled = sample == sample ? (Double(sample) * fullScale).rounded(.toNearestOrEven) : 0
    return Int32(min(max(scaled, -fullScale), fullScale - 1))
  }
}
