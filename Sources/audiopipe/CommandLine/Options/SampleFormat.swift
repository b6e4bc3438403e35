/// How one sample is stored, little endian where the container leaves the choice.
enum SampleFormat: String, CaseIterable, Sendable {
  case u8, s16, s24, s32, f32, f64

  /// Bytes of one sample.
  var byteCount: Int {
    switch self {
    case .u8: 1
    case .s16: 2
    case .s24: 3
    case .s32, .f32: 4
    case .f64: 8
    }
  }

  /// True for floating point, which has no steps to dither.
  var isFloat: Bool { self == .f32 || self == .f64 }
}
