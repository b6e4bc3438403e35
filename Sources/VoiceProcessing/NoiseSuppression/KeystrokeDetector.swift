import DSP

#if canImport(Glibc)
  import Glibc
#endif

/// Whether somebody types, and how strong the keystrokes are in each bin.
///
/// Speech has bursts, too, when a closed mouth opens. Keystrokes differ from them: they fill the whole band, and
/// several come in a second. They come far from any vowel, or in the middle of one whose low band continues as before.
/// Until there are enough of those, nothing counts as a keystroke, so speech alone stays as it is.
struct KeystrokeDetector: ~Copyable {
  /// Power of a keystroke.
  let power: SpectrumBuffer
  private let excess: SpectrumBuffer
  private let binBlocks: Int
  private let strokeBand: BinBand
  private let lowBand: BinBand
  /// Windows without a vowel that are necessary before and after a keystroke.
  private let distance: Int
  private let spacing: Int
  private let holdHops: Int
  private let fade: Float
  private let leak: Float

  /// Windows that looked like a keystroke, as bits; the newest is the lowest bit.
  private var burstBits: UInt64 = 0
  /// Lasting power below 900 Hz, in a ring whose newest entry is at `position`.
  private let lowLevels: SpectrumBuffer
  private let lowCount = 16
  private var position = 0
  private var evidence: Float = 0
  /// Keystrokes in vowels, each forgotten in 3.3 s: the only evidence while somebody speaks without a pause.
  private var vowelEvidence: Float = 0
  /// Windows for which keystrokes are still expected.
  private var hold = 0
  private var sinceStroke = 0
  private var sinceVowelStroke = 0

  init(_ tuning: VoiceOnlyTuning) {
    let count = tuning.binCount + 8
    binBlocks = count / 8
    strokeBand = tuning.band(1_000, 7_500)
    lowBand = tuning.band(120, 900)
    distance = tuning.hops(0.1)
    spacing = tuning.hops(0.03)
    holdHops = tuning.hops(15)
    fade = Float(exp(-tuning.hopSeconds / 30))
    leak = Float(tuning.hopSeconds)
    power = SpectrumBuffer(count)
    excess = SpectrumBuffer(count, rows: distance + 1)
    lowLevels = SpectrumBuffer(lowCount)
  }

  /// Whether somebody types: true from a few keystrokes on until there is none for 15 s.
  var isTyping: Bool { @_noLocks get { hold > 0 } }

  @_noLocks
  mutating func reset() {
    power.fill(0)
    (burstBits, evidence, vowelEvidence, hold) = (0, 0, 0, 0)
  }

  /// Examines the next window.
  ///
  /// - Parameters:
  ///   - bins: power of the window in each bin.
  ///   - cap: the lasting power of the window.
  ///   - noise: power of the steady noise.
  ///   - unvoiced: windows since the last vowel.
  ///   - isVowel: whether there is a vowel now.
  ///   - speechPower: power of speech; a sound that is 30 dB weaker does not count.
  @_noLocks
  mutating func update(
    _ bins: UnsafeMutablePointer<Float>, _ cap: borrowing TransientSuppressor, _ noise: UnsafeMutablePointer<Float>,
    unvoiced: Int, isVowel: Bool, speechPower: Float
  ) {
    position = position &+ 1
    let newest = excess.row(position % (distance &+ 1))
    for block in 0..<binBlocks {
      let index = 8 &* block
      newest.setEight(index, bins.eight(index) - cap.smoothPower.pointer.eight(index))
    }
    let isBurst = isBurst(newest, cap.smoothPower.pointer, noise, speechPower: speechPower)
    burstBits = burstBits &<< 1 | (isBurst ? 1 : 0)
    sinceStroke = min(sinceStroke &+ 1, Int.max / 2)
    sinceVowelStroke = min(sinceVowelStroke &+ 1, Int.max / 2)
    if (burstBits &>> UInt64(distance)) & 1 == 1, unvoiced > 2 &* distance {
      if sinceStroke > spacing { count(1) }
      sinceStroke = 0
      learn(excess.row((position &+ 1) % (distance &+ 1)), first: 0, blocks: binBlocks)
    }
    lookForStrokesInVowels(cap, isVowel: isVowel)
    for block in 0..<binBlocks { power.pointer.setEight(8 &* block, power.pointer.eight(8 &* block) * fade) }
    evidence -= leak
    if evidence < 0 { evidence = 0 }
    vowelEvidence -= 0.3 * leak
    if vowelEvidence < 0 { vowelEvidence = 0 }
    if hold > 0 { hold = hold &- 1 }
  }

  /// Whether there is a sudden sound over the whole band.
  ///
  /// Steady noise hides the weaker parts of a keystroke. So if only such noise is audible, and is at most 40 dB below
  /// speech, less of the band must stand out, and by less. Speech alone has far less than that between words.
  @_noLocks
  private func isBurst(
    _ excess: UnsafeMutablePointer<Float>, _ lasting: UnsafeMutablePointer<Float>,
    _ noise: UnsafeMutablePointer<Float>, speechPower: Float
  ) -> Bool {
    var (sudden, other) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    var (full, background) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    for block in 0..<strokeBand.blockCount {
      let index = strokeBand.first &+ 8 &* block
      let stroke = excess.eight(index)
      let rest = larger(lasting.eight(index), noise.eight(index))
      sudden += stroke
      other += rest
      background += noise.eight(index)
      full += SIMD8<Float>(repeating: 0).replacing(with: 1, where: stroke .> 1.5 * rest)
    }
    let (total, hidden) = (sudden.total, background.total)
    let isHidden = hidden > 0.5 * other.total && hidden > 1e-4 * speechPower * strokeBand.count
    return total > (isHidden ? 2.5 : 4) * other.total && full.total > (isHidden ? 0.7 : 0.8) * strokeBand.count
      && total > 1e-3 * speechPower * Float(8 &* (binBlocks &- 1))
  }

  /// Looks for a keystroke in a continuing vowel, whose low band is as strong 28 ms before and after.
  @_noLocks
  private mutating func lookForStrokesInVowels(_ cap: borrowing TransientSuppressor, isVowel: Bool) {
    var low = SIMD8<Float>(repeating: 0)
    for block in 0..<lowBand.blockCount { low += cap.smoothPower.pointer.eight(lowBand.first &+ 8 &* block) }
    lowLevels.pointer[position & (lowCount &- 1)] = low.total
    guard (burstBits &>> 7) & 1 == 1, isVowel, sinceVowelStroke > spacing else { return }
    var most: Float = 0
    var least: Float = .greatestFiniteMagnitude
    for age in 0...14 {
      let level = lowLevels.pointer[(position &- age) & (lowCount &- 1)]
      if level > most { most = level }
      if age > 0, age < 14, level < least { least = level }
    }
    guard least > 0.4 * most else { return }
    sinceVowelStroke = 0
    count(0.5)
    vowelEvidence = min(vowelEvidence + 1, 6)
    // One of 36 clean voices reaches 3.4, and loses nothing by it; the others reach at most 2.7.
    if vowelEvidence >= 2.8 { hold = holdHops }
    let slot = (position &- 7) % (distance &+ 1)
    learn(excess.row(slot < 0 ? slot &+ distance &+ 1 : slot), first: strokeBand.first, blocks: strokeBand.blockCount)
  }

  @_noLocks
  private mutating func count(_ weight: Float) {
    evidence += weight
    if evidence > 3 { evidence = 3 }
    if evidence >= 1.8 || hold > 0 { hold = holdHops }
  }

  /// Follows a stronger keystroke within a few, and weaker ones slowly.
  @_noLocks
  private func learn(_ stroke: UnsafeMutablePointer<Float>, first: Int, blocks: Int) {
    for block in 0..<blocks {
      let index = first &+ 8 &* block
      let (known, now) = (power.pointer.eight(index), stroke.eight(index))
      let risen = lesser(now, 1.5 * known + 0.3 * now)
      power.pointer.setEight(index, (known + 0.03 * (now - known)).replacing(with: risen, where: now .> known))
    }
  }
}
