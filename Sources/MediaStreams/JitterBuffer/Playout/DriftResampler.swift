import AudioGraph

/// Plays samples a little faster or slower than they were made, to follow the sender's clock.
///
/// At a rate of 1 and on a whole sample it only copies, so that it may start and stop unheard at any frame. Real-time:
/// wait-free; nothing while it copies, else about 1.5 µs a frame and channel.
struct DriftResampler: ~Copyable {
  /// Samples that are read on either side of a position.
  static var half: Int { @_noLocks get { 12 } }
  /// Places between two samples that can be read.
  static var placeCount: Int { @_noLocks get { 2_048 } }
  private static var one: Int64 { @_noLocks get { 1 &<< 32 } }

  private let rows: UnsafePointer<Float>
  /// Place of the next position between two samples, in parts of 2^32.
  private var fraction: Int64 = 0
  private var step: Int64

  init() {
    step = DriftResampler.one
    rows = UnsafePointer(DriftKernels.shared.rows)
  }

  /// Sets the input samples for one output sample, from the next frame on: 1 + `rate`.
  @_noLocks
  mutating func setRate(_ rate: Double) { step = DriftResampler.one &+ Int64(rate * 4_294_967_296) }

  /// Makes the next frame of `count` samples end on a whole sample, after which frames are copies.
  @_noLocks
  mutating func settle(over count: Int) {
    // The division's remainder after a frame is less than a ten-millionth of a sample.
    if fraction < Int64(count) || DriftResampler.one &- fraction < Int64(count) { fraction = 0 }
    let way = fraction < DriftResampler.one / 2 ? 0 &- fraction : DriftResampler.one &- fraction
    step = DriftResampler.one &+ way / Int64(count)
  }

  /// Restarts with the next sample.
  @_noLocks
  mutating func reset() {
    fraction = 0
    step = DriftResampler.one
  }

  /// Returns the samples that the next `count` consume.
  @_noLocks
  func consumption(_ count: Int) -> Int { Int((fraction &+ step &* Int64(count)) &>> 32) }

  /// Produces `count` samples of one channel; `half` are read before `samples` and behind the last position.
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

  /// Advances by the `count` samples that all channels were given.
  @_noLocks
  mutating func advance(_ count: Int) { fraction = (fraction &+ step &* Int64(count)) & 0xFFFF_FFFF }
}
