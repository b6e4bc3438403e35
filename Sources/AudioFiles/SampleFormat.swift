/// Stored format of a sample in a file: little-endian, interleaved by channel.
public enum SampleFormat: String, CaseIterable, Hashable, Sendable {
  /// 8 bit, unsigned, 128 is silence.
  case uint8 = "u8"
  /// 16 bit, signed.
  case int16 = "s16"
  /// 24 bit, signed, in three bytes.
  case int24 = "s24"
  /// 32 bit, signed.
  case int32 = "s32"
  /// 32 bit, IEEE 754.
  case float32 = "f32"
  /// 64 bit, IEEE 754.
  case float64 = "f64"

  /// Short name, such as `s16`.
  public var name: String { rawValue }

  /// Bytes of one sample.
  public var bytesPerSample: Int {
    switch self {
    case .uint8: 1
    case .int16: 2
    case .int24: 3
    case .int32, .float32: 4
    case .float64: 8
    }
  }

  /// Bits of one sample.
  public var bitDepth: Int { bytesPerSample * 8 }

  /// Whether samples are floating-point numbers.
  public var isFloat: Bool { self == .float32 || self == .float64 }

  /// Whether every finite, normal sample survives a round trip through Float32 unchanged.
  public var isExactInFloat32: Bool { self != .int32 && self != .float64 }
}
