/// The filters of `VoiceBands` after decimation to 8 kHz, and the energies of a frame.
///
/// Both recursions are written so that only a product and a difference wait for the sample before.
struct VoiceBandFilters: BitwiseCopyable, Sendable {
  // Butterworth high-pass of second order: b0 (1 - 2 z^-1 + z^-2) / (1 + a1 z^-1 + a2 z^-2).
  private let b0: Float
  private let a1: Float
  private let a2: Float
  // Low-pass of first order, and its complement.
  private let split: Float
  private let keep: Float
  /// The last two samples that went in and came out, newest first.
  private var input1: Float = 0
  private var input2: Float = 0
  private var output1: Float = 0
  private var output2: Float = 0
  private var lowPass: Float = 0
  private var low: Float = 0
  private var high: Float = 0
  private var count = 0

  init(b0: Float, a1: Float, a2: Float, split: Float) {
    self.b0 = b0
    self.a1 = a1
    self.a2 = a2
    self.split = split
    keep = 1 - split
  }

  /// Whether the state is finite; false after an input that is not a number.
  var isSound: Bool { @_noLocks get { (output1 + output2 + lowPass) * 0 == 0 } }

  /// Mean squares since `begin`.
  var levels: VoiceBands.Levels {
    @_noLocks get {
      guard count > 0, isSound else { return VoiceBands.Levels(low: 0, high: 0) }
      return VoiceBands.Levels(low: low / Float(count), high: high / Float(count))
    }
  }

  /// Starts a frame.
  @_noLocks
  mutating func begin() {
    low = 0
    high = 0
    count = 0
  }

  @_noLocks @inline(__always)
  mutating func step(_ sample: Float) {
    let forward = b0 * (sample - 2 * input1 + input2) - a2 * output2
    let output = forward - a1 * output1
    input2 = input1
    input1 = sample
    output2 = output1
    output1 = output
    lowPass = split * output + keep * lowPass
    let rest = output - lowPass
    low += lowPass * lowPass
    high += rest * rest
    count &+= 1
  }

  /// Filters the next four samples, one by one. Two at once, from the state before them, wait less but are slower.
  @_noLocks @inline(__always)
  mutating func step(_ samples: SIMD4<Float>) {
    step(samples[0])
    step(samples[1])
    step(samples[2])
    step(samples[3])
  }

  /// Forgets the stream so far.
  @_noLocks
  mutating func reset() {
    input1 = 0
    input2 = 0
    output1 = 0
    output2 = 0
    lowPass = 0
  }
}
