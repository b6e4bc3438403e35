import DSP

#if canImport(Glibc)
  import Glibc
#endif

/// Whether there is speech, how strong it is, and how far the gate is open.
///
/// Speech is a vowel, or stands out of the noise in the lasting sound or in the coming one. The gate opens at once,
/// since it sees 40 ms ahead, and closes 200 ms after the last sign.
struct SpeechDetector: ~Copyable {
  /// Windows since the last vowel.
  private(set) var unvoiced = Int.max / 2
  /// Mean power of a bin during speech; -26 dBFS before the first speech.
  private(set) var speechPower: Float
  /// log2 of the gate's gain.
  private(set) var gate: Float = 0
  private var voicedRun = 0
  private var hold = 0
  private var recent: Float = 0
  private var recentLow: Float = 0
  private let speechBand: BinBand
  private let vowelBand: BinBand
  private let holdHops: Int
  private let binBlocks: Int
  private let rise: Float
  private let fall: Float
  private let closing: Float
  private let startPower: Float = 0.00251
  /// log2 of the closed gate's gain: 18 dB down.
  private let floor: Float = -2.99

  init(_ tuning: VoiceOnlyTuning) {
    speechBand = tuning.band(200, 4_000)
    vowelBand = tuning.band(250, 1_000)
    holdHops = tuning.hops(0.2)
    binBlocks = tuning.binCount / 8
    speechPower = startPower
    rise = Float(1 - exp(-tuning.hopSeconds / 0.3))
    fall = Float(1 - exp(-tuning.hopSeconds / 2))
    // 200 dB a second.
    closing = Float(tuning.hopSeconds * 200 / 6.0206)
  }

  /// Whether a vowel has lasted for 40 ms.
  var isVowel: Bool { @_noLocks get { voicedRun >= 10 } }

  @_noLocks
  mutating func reset() {
    (unvoiced, speechPower, gate) = (Int.max / 2, startPower, 0)
    (voicedRun, hold, recent, recentLow) = (0, 0, 0, 0)
  }

  /// Counts windows with a voice. Call before `update`.
  @_noLocks
  mutating func count(voicing: Float) {
    voicedRun = voicing > 0.7 ? min(voicedRun &+ 1, 20) : max(voicedRun &- 2, 0)
    unvoiced = isVowel ? 0 : min(unvoiced &+ 1, Int.max / 2)
  }

  /// Detects speech in the next window, and moves the gate.
  ///
  /// - Parameters:
  ///   - cap: the lasting power of the window.
  ///   - noise: power of the steady noise.
  ///   - keys: the keystrokes so far.
  ///   - blur: power that a strong noise may have in bins far from its own, which stand out together.
  ///   - opening: 0...1, wanted share of the gate's effect.
  @_noLocks
  mutating func update(
    _ cap: borrowing TransientSuppressor, _ noise: UnsafeMutablePointer<Float>, _ keys: borrowing KeystrokeDetector,
    blur: Float, opening: Float
  ) {
    let typed: Float = keys.isTyping ? 0.1 : 0
    let (strokes, lasting) = (keys.power.pointer, cap.smoothPower.pointer)
    // A mean of four windows: a single one of noise stands out now and then.
    recent += 0.25 * (excess(lasting, speechBand, noise, strokes, typed, blur) - recent)
    let next = excess(cap.after.pointer, speechBand, noise, strokes, typed, blur)
    recentLow += 0.25 * (excess(lasting, vowelBand, noise, strokes, typed, blur) - recentLow)
    // 1.5 dB on average; 3.5 dB while somebody types.
    let threshold: Float = keys.isTyping ? 1.154 : 0.505
    let isVoice = voicedRun >= 6 && (recentLow > 0.433 || next > 0.433)
    let isSpeech = isVoice || recent > threshold || next > threshold
    hold = isSpeech ? holdHops : max(hold &- 1, 0)
    let target = hold > 0 ? 0 : floor * opening
    gate = target > gate ? target : max(target, gate - closing)
    if isVoice { follow(lasting, noise) }
  }

  /// Excess of the power over the noise, as the mean of log2 over a band.
  @_noLocks @inline(__always)
  private func excess(
    _ bins: UnsafeMutablePointer<Float>, _ band: BinBand, _ noise: UnsafeMutablePointer<Float>,
    _ strokes: UnsafeMutablePointer<Float>, _ typed: Float, _ blur: Float
  ) -> Float {
    var sum = SIMD8<Float>(repeating: 0)
    for block in 0..<band.blockCount {
      let index = band.first &+ 8 &* block
      let floor = noise.eight(index) + typed * strokes.eight(index) + blur
      sum += larger(fastLog2(bins.eight(index) / floor), SIMD8(repeating: 0))
    }
    return sum.total / band.count
  }

  @_noLocks
  private mutating func follow(_ bins: UnsafeMutablePointer<Float>, _ noise: UnsafeMutablePointer<Float>) {
    var sum = SIMD8<Float>(repeating: 0)
    for block in 0..<binBlocks {
      sum += larger(bins.eight(8 &* block) - noise.eight(8 &* block), SIMD8(repeating: 0))
    }
    let power = sum.total / Float(8 &* binBlocks)
    let ratio = fastLog2(power / speechPower + 1e-6)
    speechPower *= fastExp2(ratio * (ratio > 0 ? rise : fall))
  }
}
