/// Converts planar Float32 to stored, interleaved samples.
///
/// Integers are rounded half to even; samples outside their range are cut to it and counted, and NaN becomes 0. Samples
/// that `SampleDecoder` made from 8, 16 or 24 bits come out unchanged without dither. Dither serves 8 and 16 bits only:
/// the error of 24 bits lies at -144 dB and below, under any converter's own noise.
///
/// Cost per sample: 0.5 ns for 16 and 24 bit, 0.9 ns with dither.
struct SampleEncoder: ~Copyable {
  /// Layout of samples for their receiver.
  enum Layout: Hashable {
    case uint8, int16, int24, int32, float32, float64
    /// 24 bits of precision in the upper bytes of 32.
    case int24High

    var bytesPerSample: Int {
      switch self {
      case .uint8: 1
      case .int16: 2
      case .int24: 3
      case .int32, .int24High, .float32: 4
      case .float64: 8
      }
    }
  }

  /// Bytes after the last sample that may be overwritten.
  static let slack = 2

  private static let blockLength = TPDFDither.blockLength

  /// Count of samples outside the range of the integers.
  private(set) var clippedSamples = 0

  private let layout: Layout
  private let channelCount: Int
  private let dither: TPDFDither?
  /// Whether the dither has not yet begun, because every sample so far lay on a step.
  private var isExact: Bool
  private let silence: UnsafeMutablePointer<Float>
  private let rounded: UnsafeMutablePointer<Int32>

  /// Creates an encoder to `layout`; with a seed, 8 and 16 bits are dithered from `ditherStart` on.
  init(layout: Layout, channelCount: Int, ditherSeed: UInt64?, ditherStart: DitherStart) {
    self.layout = layout
    self.channelCount = channelCount
    let takesDither = layout == .uint8 || layout == .int16
    dither = takesDither ? ditherSeed.map { TPDFDither(seed: $0, channelCount: channelCount) } : nil
    isExact = dither != nil && ditherStart == .firstInexactSample
    silence = .allocate(capacity: Self.blockLength)
    silence.initialize(repeating: 0, count: Self.blockLength)
    rounded = .allocate(capacity: Self.blockLength * channelCount)
    rounded.initialize(repeating: 0, count: Self.blockLength * channelCount)
  }

  deinit {
    silence.deallocate()
    rounded.deallocate()
  }

  /// Encodes `count` samples of each plane at `base`, `stride` samples apart, into `bytes`.
  ///
  /// Shape: `count` x channels x bytes per sample are written, and up to `slack` more are overwritten.
  mutating func encode(
    _ base: UnsafePointer<Float>, stride: Int, count: Int, into bytes: UnsafeMutableRawPointer
  ) {
    var done = 0
    while done < count {
      var block = min(count - done, dither?.available() ?? Self.blockLength)
      if isExact {
        let exact = exactCount(base + done, stride: stride, count: block)
        isExact = exact > 0
        block = isExact ? exact : block
      }
      let dither = isExact ? nil : dither
      let output = bytes + done &* channelCount &* layout.bytesPerSample
      switch layout {
      case .float32, .float64:
        for channel in 0..<channelCount {
          copy(
            base + (channel &* stride &+ done), count: block, into: output + channel &* layout.bytesPerSample)
        }
      default:
        for channel in 0..<channelCount {
          let noise = dither?.noise(ofChannel: channel) ?? UnsafePointer(silence)
          clippedSamples += round(
            base + (channel &* stride &+ done), noise, count: block,
            into: rounded + channel &* Self.blockLength)
        }
        pack(block, into: output)
      }
      dither?.advance(block)
      done += block
    }
  }

  /// Returns how many samples, from the first on, lie on a step in every channel.
  private func exactCount(_ base: UnsafePointer<Float>, stride: Int, count: Int) -> Int {
    let scale: Float = layout == .uint8 ? 0x1p7 : 0x1p15
    var exact = count
    for channel in 0..<channelCount {
      let plane = base + channel &* stride
      var inexact: Int32 = 0
      for index in 0..<exact { inexact &+= Self.isOnStep(plane[index] * scale) ? 0 : 1 }
      guard inexact > 0 else { continue }
      exact = (0..<exact).first { !Self.isOnStep(plane[$0] * scale) }!
    }
    return exact
  }

  /// Returns whether a value lies on a step. Values far outside the range count as cut, which dither does not change.
  @inline(__always)
  private static func isOnStep(_ value: Float) -> Bool {
    let bounded = max(-0x1p20, min(0x1p20, value))
    return (bounded + 0x1.8p23) - 0x1.8p23 == bounded
  }

  /// Rounds one channel.
  ///
  /// - Returns: Count of samples that were cut to the range.
  private func round(
    _ plane: UnsafePointer<Float>, _ noise: UnsafePointer<Float>, count: Int,
    into output: UnsafeMutablePointer<Int32>
  ) -> Int {
    var clipped: Int32 = 0
    switch layout {
    case .uint8:
      for index in 0..<count {
        output[index] = Self.round(plane[index] * 0x1p7 + noise[index], limit: 0x1p7, &clipped) &+ 128
      }
    case .int16:
      if Self.roundInside(plane, noise, scale: 0x1p15, count: count, into: output) { return 0 }
      for index in 0..<count {
        output[index] = Self.round(plane[index] * 0x1p15 + noise[index], limit: 0x1p15, &clipped)
      }
    case .int24, .int24High:
      let shift: Int32 = layout == .int24 ? 0 : 8
      for index in 0..<count {
        output[index] = Self.round24(plane[index] * 0x1p23, limit: 0x1p23, &clipped) &<< shift
      }
    case .int32:
      for index in 0..<count {
        output[index] = Self.roundWide(Double(plane[index]) * 0x1p31, limit: 0x1p31, &clipped)
      }
    case .float32, .float64:
      break
    }
    return Int(clipped)
  }

  /// Rounds values within -scale to scale - 1, at half the cost of a check of the direction of each cut. Nearly every
  /// block has only such values.
  ///
  /// - Returns: Whether all values are inside; false if one lies outside, or may, and `output` then means nothing.
  @inline(__always)
  private static func roundInside(
    _ plane: UnsafePointer<Float>, _ noise: UnsafePointer<Float>, scale: Float, count: Int,
    into output: UnsafeMutablePointer<Int32>
  ) -> Bool {
    var outside: Int32 = 0
    for index in 0..<count {
      let value = plane[index] * scale + noise[index]
      // False for NaN too.
      outside &+= value.magnitude < scale - 0.5 ? 0 : 1
      output[index] = Int32(bitPattern: (value + 0x1.8p23).bitPattern) &- 0x4B40_0000
    }
    return outside == 0
  }

  /// Interleaves the rounded channels.
  private func pack(_ count: Int, into bytes: UnsafeMutableRawPointer) {
    let left = rounded
    let right = rounded + Self.blockLength
    switch (layout, channelCount) {
    case (.uint8, 2):
      for index in 0..<count {
        let pair = UInt16(truncatingIfNeeded: left[index] | right[index] &<< 8)
        bytes.storeBytes(of: pair, toByteOffset: index &* 2, as: UInt16.self)
      }
    case (.int16, 2):
      for index in 0..<count {
        let pair = (left[index] & 0xFFFF) | (right[index] &<< 16)
        bytes.storeBytes(of: pair, toByteOffset: index &* 4, as: Int32.self)
      }
    case (.int24, 1):
      // The fourth byte is overwritten by the next sample.
      for index in 0..<count { bytes.storeBytes(of: left[index], toByteOffset: index &* 3, as: Int32.self) }
    case (.int24, 2):
      for index in 0..<count {
        let pair = Int64(left[index] & 0xFF_FFFF) | Int64(right[index]) &<< 24
        bytes.storeBytes(of: pair, toByteOffset: index &* 6, as: Int64.self)
      }
    default:
      for channel in 0..<channelCount {
        packStrided(
          rounded + channel &* Self.blockLength, count: count, into: bytes + channel &* layout.bytesPerSample)
      }
    }
  }

  private func packStrided(
    _ values: UnsafePointer<Int32>, count: Int, into bytes: UnsafeMutableRawPointer
  ) {
    let step = channelCount &* layout.bytesPerSample
    switch layout {
    case .uint8:
      for index in 0..<count {
        bytes.storeBytes(
          of: UInt8(truncatingIfNeeded: values[index]), toByteOffset: index &* step, as: UInt8.self)
      }
    case .int16:
      for index in 0..<count {
        bytes.storeBytes(
          of: Int16(truncatingIfNeeded: values[index]), toByteOffset: index &* step, as: Int16.self)
      }
    case .int24:
      for index in 0..<count {
        let value = values[index]
        bytes.storeBytes(of: Int16(truncatingIfNeeded: value), toByteOffset: index &* step, as: Int16.self)
        bytes.storeBytes(
          of: UInt8(truncatingIfNeeded: value &>> 16), toByteOffset: index &* step &+ 2, as: UInt8.self)
      }
    case .int24High, .int32, .float32, .float64:
      for index in 0..<count {
        bytes.storeBytes(of: values[index], toByteOffset: index &* step, as: Int32.self)
      }
    }
  }

  private func copy(_ plane: UnsafePointer<Float>, count: Int, into bytes: UnsafeMutableRawPointer) {
    let step = channelCount &* layout.bytesPerSample
    if layout == .float64 {
      for index in 0..<count {
        bytes.storeBytes(of: Double(plane[index]), toByteOffset: index &* step, as: Double.self)
      }
    } else {
      for index in 0..<count {
        bytes.storeBytes(of: plane[index], toByteOffset: index &* step, as: Float.self)
      }
    }
  }

  /// Returns `value` within -limit to limit - 1, 0 for NaN.
  @inline(__always)
  private static func bounded<Value: BinaryFloatingPoint>(
    _ value: Value, limit: Value, _ clipped: inout Int32
  ) -> Value {
    let finite = value == value ? value : 0
    // Two sums rather than a short-circuiting "or", which would keep the loop from using SIMD.
    clipped &+= (finite >= limit - 0.5 ? 1 : 0) &+ (finite < -limit - 0.5 ? 1 : 0)
    let capped = finite > limit - 1 ? limit - 1 : finite
    return capped < -limit ? -limit : capped
  }

  /// Returns the nearest integer in -limit to limit - 1, half to even; limit is at most 2^15.
  @inline(__always)
  private static func round(_ value: Float, limit: Float, _ clipped: inout Int32) -> Int32 {
    // 1.5 x 2^23: after the sum the integer stands in the lowest bits, rounded by the addition itself.
    let sum = bounded(value, limit: limit, &clipped) + 0x1.8p23
    return Int32(bitPattern: sum.bitPattern) &- 0x4B40_0000
  }

  /// Returns the nearest integer for a limit of up to 2^23: here only the magnitude leaves the addition enough bits.
  @inline(__always)
  private static func round24(_ value: Float, limit: Float, _ clipped: inout Int32) -> Int32 {
    let bits = bounded(value, limit: limit, &clipped).bitPattern
    let sign = Int32(bitPattern: bits) &>> 31
    let sum = Float(bitPattern: bits & 0x7FFF_FFFF) + 0x1p23
    return ((Int32(bitPattern: sum.bitPattern) &- 0x4B00_0000) ^ sign) &- sign
  }

  /// Returns the nearest integer for a limit of up to 2^31.
  @inline(__always)
  private static func roundWide(_ value: Double, limit: Double, _ clipped: inout Int32) -> Int32 {
    Int32(truncatingIfNeeded: (bounded(value, limit: limit, &clipped) + 0x1.8p52).bitPattern)
  }
}

extension SampleEncoder.Layout {
  /// Creates the layout of a file of `format`.
  init(_ format: SampleFormat) {
    switch format {
    case .uint8: self = .uint8
    case .int16: self = .int16
    case .int24: self = .int24
    case .int32: self = .int32
    case .float32: self = .float32
    case .float64: self = .float64
    }
  }
}
