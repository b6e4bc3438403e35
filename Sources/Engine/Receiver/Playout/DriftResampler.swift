import AudioGraph

#if canImport(Glibc)
  import Glibc
#endif

/// Plays samples a little faster or slower than they were made, to follow the sender's clock.
///
/// Windowed sincs of 24 samples at 256 places between two samples, and straight lines between the places: at a rate of 1
/// and on a whole sample it is a copy, so that it may begin and end at any frame unheard.
/// Real-time: wait-free; nothing while it copies, else about 3 µs a frame and channel.
///
/// Source: Smith, Digital Audio Resampling (2002); Kaiser's window.
struct DriftResampler: ~Copyable {
  /// Samples that are looked at on either side of a position.
  static var half: Int { @_noLocks get { 12 } }
  private static var phaseCount: Int { @_noLocks get { 256 } }
  private static var one: Int64 { @_noLocks get { 1 &<< 32 } }

  /// For each place the taps and then the way to those of the next place.
  private let rows: UnsafeMutablePointer<Float>
  /// Where between two samples the next position lies, in parts of 2^32.
  private var fraction: Int64 = 0
  private var step: Int64

  init() {
    step = DriftResampler.one
    let width = 2 * DriftResampler.half
    rows = .allocate(capacity: 2 * width * DriftResampler.phaseCount)
    let kernels = (0...DriftResampler.phaseCount).map { phase in
      DriftResampler.kernel(fraction: Double(phase) / Double(DriftResampler.phaseCount))
    }
    for phase in 0..<DriftResampler.phaseCount {
      for tap in 0..<width {
        (rows + (2 * phase * width + tap)).initialize(to: Float(kernels[phase][tap]))
        (rows + ((2 * phase + 1) * width + tap)).initialize(to: Float(kernels[phase + 1][tap] - kernels[phase][tap]))
      }
    }
  }

  deinit { rows.deallocate() }

  /// Sets the samples that are taken for one that is given, from the next frame on: 1 + `rate`.
  @_noLocks
  mutating func setRate(_ rate: Double) { step = DriftResampler.one &+ Int64(rate * 4_294_967_296) }

  /// Begins with the next sample again.
  @_noLocks
  mutating func reset() {
    fraction = 0
    step = DriftResampler.one
  }

  /// Samples that the next `count` take.
  @_noLocks
  func consumption(_ count: Int) -> Int { Int((fraction &+ step &* Int64(count)) &>> 32) }

  /// Gives `count` samples of one channel; `half` are read before `samples` and behind the last position.
  @_noLocks
  func process(_ samples: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, count: Int) {
    if fraction == 0 && step == DriftResampler.one { return copySamples(from: samples, to: output, count: count) }
    var position = fraction
    let width = 2 &* DriftResampler.half
    for index in 0..<count {
      let place = position & 0xFFFF_FFFF
      let row = UnsafeRawPointer(rows + 2 &* width &* Int(place &>> 24))
      let way = Float(place & 0xFF_FFFF) * 0x1p-24
      let first = UnsafeRawPointer(samples + (Int(position &>> 32) &- DriftResampler.half &+ 1))
      var sum = SIMD8<Float>(repeating: 0)
      for block in 0..<3 {
        let taps = row.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD8<Float>.self)
        let next = row.loadUnaligned(fromByteOffset: 96 &+ 32 &* block, as: SIMD8<Float>.self)
        sum += first.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD8<Float>.self) * (taps + next * way)
      }
      let four = sum.lowHalf + sum.highHalf
      let two = four.lowHalf + four.highHalf
      output[index] = two[0] + two[1]
      position &+= step
    }
  }

  /// Moves on by the `count` samples that all channels were given.
  @_noLocks
  mutating func advance(_ count: Int) { fraction = (fraction &+ step &* Int64(count)) & 0xFFFF_FFFF }

  /// Taps that read `fraction` of a sample behind the one in the middle; their sum is 1.
  private static func kernel(fraction: Double) -> [Double] {
    let taps = (0..<(2 * half)).map { tap in
      let time = Double(tap - (half - 1)) - fraction
      let place = time / Double(half)
      guard abs(place) < 1 else { return 0.0 }
      let sinc = time == 0 ? 1 : sin(Double.pi * time) / (Double.pi * time)
      return sinc * besselI0(7 * (1 - place * place).squareRoot()) / besselI0(7)
    }
    let sum = taps.reduce(0, +)
    return taps.map { $0 / sum }
  }

  /// The modified Bessel function of the first kind and order 0, as its power series.
  private static func besselI0(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for k in 1...40 {
      term *= (x / 2 / Double(k)) * (x / 2 / Double(k))
      sum += term
    }
    return sum
  }
}
