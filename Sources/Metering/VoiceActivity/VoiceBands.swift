import Glibc

/// Decimates a stream to about 8 kHz and measures it in two bands: 120 to 900 Hz, and 900 Hz up to 4 kHz.
///
/// Vowels lie in the lower band, consonants in the upper one; hum and rumble lie below the two bands. Adding
/// neighboring samples is a coarse decimation from 48 kHz. Its aliases are noise to the detector in either case, and it
/// costs a tenth of a proper filter.
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
  private var filters: VoiceBandFilters
  /// Sum of the samples of a group that the last frame ended within.
  private var pending: Float = 0
  private var pendingCount = 0

  init(sampleRate: Int, channelCount: Int) {
    factor = max(1, Int((Double(sampleRate) / Self.target).rounded()))
    scale = 1 / Float(factor * channelCount)
    let rate = Double(sampleRate) / Double(factor)
    let k = tan(Double.pi * Self.lowestHertz / rate)
    let norm = 1 / (1 + k * 2.0.squareRoot() + k * k)
    filters = VoiceBandFilters(
      b0: Float(norm), a1: Float(2 * (k * k - 1) * norm), a2: Float((1 - k * 2.0.squareRoot() + k * k) * norm),
      split: Float(1 - exp(-2 * Double.pi * Self.splitHertz / rate)))
  }

  /// Returns the levels of the next samples; all channels count as one. Real-time: wait-free.
  @_noLocks
  mutating func measure(
    _ planes: UnsafePointer<Float>, stride: Int, channelCount: Int, count: Int
  ) -> Levels {
    // A local value stays in registers and need not pass through memory between two samples.
    var filters = filters
    filters.begin()
    var index = 0
    while index < count {
      if pendingCount == 0, factor == 6, channelCount <= 2 {
        // The common case is fast.
        let fours = (count &- index) / 24
        if channelCount == 1 {
          for four in 0..<fours { filters.step(DecimatingSum(planes + (index &+ 24 &* four)).lanes * scale) }
        } else {
          let other = planes + stride
          for four in 0..<fours {
            let start = index &+ 24 &* four
            filters.step(DecimatingSum(planes + start, other + start).lanes * scale)
          }
        }
        index &+= 24 &* fours
        if index == count { break }
      }
      let take = factor &- pendingCount < count &- index ? factor &- pendingCount : count &- index
      for channel in 0..<channelCount {
        let plane = planes + channel &* stride
        for sample in index..<(index &+ take) { pending += plane[sample] }
      }
      index &+= take
      pendingCount &+= take
      if pendingCount < factor { break }
      filters.step(pending * scale)
      pending = 0
      pendingCount = 0
    }
    self.filters = filters
    // A value that is not a number must not stay in the filters.
    if !filters.isSound { reset() }
    return filters.levels
  }

  /// Forgets the stream so far.
  @_noLocks
  mutating func reset() {
    filters.reset()
    pending = 0
    pendingCount = 0
  }
}
