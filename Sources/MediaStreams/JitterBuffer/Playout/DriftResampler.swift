import AudioGraph

/// Plays samples a little faster or slower than they were made, to follow the sender's clock.
///
/// At a rate of 1 and on a whole sample it is a copy, so that it may begin and end at any frame unheard.
/// Real-time: wait-free; nothing while it copies, else about 1.5 µs a frame and channel.
struct DriftResampler: ~Copyable {
  /// Samples that are looked at on either side of a position.
  static var half: Int { @_noLocks get { 12 } }
  /// Places between two samples that it can read at.
  static var placeCount: Int { @_noLocks get { 2_048 } }
  private static var one: Int64 { @_noLocks get { 1 &<< 32 } }

  private let rows: UnsafePointer<Float>
  /// Where between two samples the next position lies, in parts of 2^32.
  private var fraction: Int64 = 0
  private var step: Int64

  init() {
    step = DriftResampler.one
    rows = UnsafePointer(DriftKernels.shared.rows)
  }

  /// Sets the samples that are taken for one that is given, from the next frame on: 1 + `rate`.
  @_noLocks
  mutating func setRate(_ rate: Double) { step = DriftResampler.one &+ Int64(rate * 4_294_967_296) }

  /// Lets the next frame of `count` samples end on a whole sample, after which frames are copies.
  @_noLocks
  mutating func settle(over count: Int) {
    // What division leaves over after a frame is less than a ten-millionth of a sample.
    if fraction < Int64(count) || DriftResampler.one &- fraction < Int64(count) { fraction = 0 }
    let way = fraction < DriftResampler.one / 2 ? 0 &- fraction : DriftResampler.one &- fraction
    step = DriftResampler.one &+ way / Int64(count)
  }

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
    let places = Int64(DriftResampler.placeCount)
    for index in 0..<count {
      let nearest = ((position & 0xFFFF_FFFF) &* places &+ DriftResampler.one / 2) &>> 32
      let row = UnsafeRawPointer(rows + width &* Int(nearest))
      let first = UnsafeRawPointer(samples + (Int(position &>> 32) &- DriftResampler.half &+ 1))
      var sum = SIMD8<Float>(repeating: 0)
      for block in 0..<3 {
        sum +=
          first.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD8<Float>.self)
          * row.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD8<Float>.self)
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
}
