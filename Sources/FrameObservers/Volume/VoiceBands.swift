import Glibc

/// Takes a stream down to about 8 kHz and measures it in two bands: 120 to 900 Hz, and 900 Hz up to 4 kHz.
///
/// Vowels lie in the lower band, consonants in the upper one; hum and rumble lie below both. Adding neighbouring
/// samples up is a coarse way down from 48 kHz, but what it folds is noise to the detector in either case, and costs a
/// tenth of a proper filter.
struct VoiceBands {
  /// Mean squares of one frame.
  struct Levels: BitwiseCopyable {
    var low: Float
    var high: Float

    @_noLocks
    init(low: Float, high: Float) {
      self.low = low
      self.high = high
    }
  }

  private static let target = 8_000.0
  private static let lowestHertz = 120.0
  private static let splitHertz = 900.0

  private let factor: Int
  private let scale: Float
  // Butterworth high-pass of second order: b0 (1 - 2 z^-1 + z^-2) / (1 + a1 z^-1 + a2 z^-2).
  private let b0: Float
  private let a1: Float
  private let a2: Float
  private let split: Float
  private var first: Float = 0
  private var second: Float = 0
  private var lowPass: Float = 0
  /// Samples of a group that the last frame ended within.
  private var pending: Float = 0
  private var pendingCount = 0

  init(sampleRate: Int, channelCount: Int) {
    factor = max(1, Int((Double(sampleRate) / Self.target).rounded()))
    scale = 1 / Float(factor * channelCount)
    let rate = Double(sampleRate) / Double(factor)
    let k = tan(Double.pi * Self.lowestHertz / rate)
    let norm = 1 / (1 + k * 2.0.squareRoot() + k * k)
    b0 = Float(norm)
    a1 = Float(2 * (k * k - 1) * norm)
    a2 = Float((1 - k * 2.0.squareRoot() + k * k) * norm)
    split = Float(1 - exp(-2 * Double.pi * Self.splitHertz / rate))
  }

  /// The levels of the next samples; all channels count as one. Real-time: wait-free.
  @_noLocks
  mutating func measure(
    _ planes: UnsafePointer<Float>, stride: Int, channelCount: Int, count: Int
  ) -> Levels {
    var (low, high): (Float, Float) = (0, 0)
    var groups = 0
    var index = 0
    while index < count {
      let take = factor &- pendingCount < count &- index ? factor &- pendingCount : count &- index
      var sum = pending
      for channel in 0..<channelCount {
        let plane = planes + channel &* stride
        for sample in index..<(index &+ take) { sum += plane[sample] }
      }
      index &+= take
      if pendingCount &+ take < factor {
        pending = sum
        pendingCount &+= take
        break
      }
      pending = 0
      pendingCount = 0
      let value = pass(sum * scale)
      lowPass += split * (value - lowPass)
      let rest = value - lowPass
      low += lowPass * lowPass
      high += rest * rest
      groups &+= 1
    }
    guard groups > 0 else { return Levels(low: 0, high: 0) }
    // What is no number must not stay in the filters.
    if (first + second + lowPass) * 0 != 0 { reset() }
    return Levels(low: low / Float(groups), high: high / Float(groups))
  }

  /// Forgets the stream so far.
  @_noLocks
  mutating func reset() {
    first = 0
    second = 0
    lowPass = 0
    pending = 0
    pendingCount = 0
  }

  /// One step of the high-pass, transposed direct form II.
  @_noLocks @inline(__always)
  private mutating func pass(_ sample: Float) -> Float {
    let output = b0 * sample + first
    first = second - 2 * b0 * sample - a1 * output
    second = b0 * sample - a2 * output
    return output
  }
}
