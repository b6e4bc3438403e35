#if canImport(Glibc)
  import Glibc
#endif

/// Turns the gain that each moment needs into one that moves smoothly and never exceeds a need.
///
///     needs ─▶ minimum over look-ahead and hold ─▶ release towards 1 ─▶ box ─▶ box ─▶ gains, `delay` later
///
/// The minimum spreads each need over the whole length of the two boxes. Their average has thus come down to it when
/// the moment arrives, in the shape of two parabolas. The hold keeps the gain constant between the peaks of a tone of
/// 50 Hz or more instead of bending its wave.
///
/// The boxes add integers: after the release the gain is 1, not almost 1. Their steps of 2^-44 hold gains down to 180
/// dB with four digits; a sum of them fits an integer up to 192 kHz.
struct GainEnvelope: ~Copyable {
  /// Time constant of the release, in seconds. Music engineers' middle ground: a shorter one pumps, a longer one ducks
  /// the sound after it.
  static let releaseSeconds = 0.08
  /// Duration of the hold, in seconds: half a period of 50 Hz.
  static let holdSeconds = 0.01
  private static var one: Int { @_noLocks get { 1 << 44 } }

  /// Samples between a need and its gain.
  let delay: Int
  /// Whether every value that goes in and comes out is exactly 1.
  private(set) var isIdle = true

  private var minimum: SlidingMinimum
  private var first: BoxFilter
  private var second: BoxFilter
  private let keep: Double
  private let full: Int
  private let scale: Double
  private var previousNeed: Float = 1
  private var missing = 0.0

  /// Creates an envelope. Shape: `delay` at least 4 samples.
  init(delay: Int, sampleRate: Int) {
    precondition(delay >= 4, "the look-ahead is too short to be smooth")
    self.delay = delay
    // Two boxes of a and b samples reach over a + b - 1 = `delay` samples; the window reaches one further, to
    // the sample on the other side of the interval that has the need.
    let length = (delay + 1) / 2
    let otherLength = delay + 1 - length
    minimum = SlidingMinimum(length: delay + 1 + Int(Self.holdSeconds * Double(sampleRate)))
    first = BoxFilter(length: length, initial: Self.one)
    second = BoxFilter(length: otherLength, initial: Self.one * length)
    full = Self.one * length * otherLength
    scale = 1 / Double(full)
    keep = exp(-1 / (Self.releaseSeconds * Double(sampleRate)))
  }

  /// Computes a gain for each need.
  ///
  /// - Returns: The smallest gain.
  @_noLocks
  mutating func process(
    _ needs: UnsafePointer<Float>, _ gains: UnsafeMutablePointer<Float>, count: Int
  ) -> Float {
    var smallest: Float = 1
    for index in 0..<count {
      let need = needs[index]
      // A need belongs to the interval between two samples and binds both.
      let held = minimum.push(need < previousNeed ? need : previousNeed)
      previousNeed = need
      missing *= keep
      // In single precision nothing would be left of a small gain here.
      let lacking = 1 - Double(held)
      if lacking > missing { missing = lacking }
      // The rest is below -120 dB.
      if missing < 1e-6 { missing = 0 }
      let target = Int((1 - missing) * Double(Self.one))
      let sum = second.push(first.push(target))
      let gain = Float(Double(sum) * scale)
      gains[index] = gain
      if gain < smallest { smallest = gain }
      isIdle = sum == full && missing == 0 && need == 1
    }
    return smallest
  }
}
