import DSP

/// Whether a voice is held, so that it is not learned as steady noise.
///
/// The newest 30 ms correlate with the sound one period before, even without the strongest harmonic. The period is
/// shorter than a hum's: mains and most motors have 130 Hz at the most. Vowels in talk are shorter than 300 ms and do
/// not count; a sound of more than six seconds is not a voice.
///
/// Source: as `VoicingMeter`.
struct SustainedVoiceDetector: ~Copyable {
  /// Decimated samples that are compared; a multiple of 8.
  private let count: Int
  private let shortestLag: Int
  private let longestLag: Int
  /// Lag of a hum's highest frequency.
  private let humLag: Int
  /// Differences of neighboring samples; `flat` is their rest without the strongest resonance or tone. Each follows
  /// eight zeros.
  private let steps: SpectrumBuffer
  private let flat: SpectrumBuffer
  private let likenesses: SpectrumBuffer
  /// Whether the last examined window was a voice; every second window is enough.
  private var wasVoice = false
  private var isTurn = true
  /// Windows for which it has been a voice; `hold` is the number for which it still counts as one.
  private var run = 0
  private var hold = 0
  private let holdHops: Int
  private let shortestRun: Int
  private let longestRun: Int

  init(_ tuning: VoiceOnlyTuning, decimation: Int) {
    let rate = Double(tuning.sampleRate) / Double(decimation)
    count = 8 * Int((0.03 * rate / 8).rounded())
    shortestLag = Int(rate / 420)
    longestLag = Int(rate / 75)
    humLag = Int(rate / 130)
    steps = SpectrumBuffer(count + longestLag + 16)
    flat = SpectrumBuffer(count + longestLag + 24)
    likenesses = SpectrumBuffer(longestLag + 8)
    // The window to be classified is 20 ms older than the samples that are examined here.
    holdHops = tuning.hops(0.06)
    shortestRun = tuning.hops(0.3)
    longestRun = tuning.hops(6)
  }

  @_noLocks
  mutating func reset() { (run, hold, wasVoice, isTurn) = (0, 0, false, true) }

  /// Examines the decimated samples before an index.
  ///
  /// - Parameters:
  ///   - history: the sound.
  ///   - end: index behind the last decimated sample.
  ///   - voicing: result of `VoicingMeter`, which excludes most sounds that are not a voice.
  ///   - isNoiseKnown: false as long as the whole sound may be a voice; then each vowel counts from its beginning.
  /// - Returns: whether the sound is a held voice.
  @_noLocks
  mutating func update(_ history: borrowing SampleHistory, end: Int, voicing: Float, isNoiseKnown: Bool) -> Bool {
    if voicing <= 0.6 {
      (wasVoice, isTurn) = (false, true)
    } else {
      if isTurn { wasVoice = isVoice(history, end: end) }
      isTurn = !isTurn
    }
    if wasVoice {
      run = run &+ 1
      hold = holdHops
    } else {
      hold = max(0, hold &- 1)
      if hold == 0 { run = 0 }
    }
    return hold > 0 && run < longestRun && (run > shortestRun || !isNoiseKnown)
  }

  @_noLocks
  private func isVoice(_ history: borrowing SampleHistory, end: Int) -> Bool {
    guard flatten(history, end: end) else { return false }
    let newest = flat.pointer + (8 &+ longestLag)
    let energy = product(newest, newest)
    var earlier = product(newest - shortestLag, newest - shortestLag)
    let values = likenesses.pointer
    var best: Float = 0
    var first = shortestLag
    while first <= longestLag {
      let products = Correlation.products(newest, newest - (first &+ 3), count: count)
      for lag in first...min(first &+ 3, longestLag) {
        values[lag] = 2 * products[first &+ 3 &- lag] / (energy + earlier + 1e-12)
        let (leaving, coming) = (newest[count &- lag &- 1], newest[-lag &- 1])
        earlier = max(0, earlier + coming * coming - leaving * leaving)
      }
      first = first &+ 4
    }
    for lag in (shortestLag &+ 1)..<longestLag { best = max(best, peak(values, lag)) }
    guard best > 0.8 else { return false }
    // Two periods correlate as well as one.
    for lag in (shortestLag &+ 1)..<longestLag where peak(values, lag) > 0.92 * best { return lag <= humLag }
    return false
  }

  /// Removes from the sum of all channels the part that follows from the two samples before.
  ///
  /// - Returns: false if nothing else is left, for instance of a single tone.
  @_noLocks
  private func flatten(_ history: borrowing SampleHistory, end: Int) -> Bool {
    let length = count &+ longestLag
    let steps = self.steps.pointer + 8
    for index in -4..<length { steps[index] = 0 }
    for channel in 0..<history.channelCount {
      let first = history.thinPlane(channel) + (end &- length)
      for index in -4..<length { steps[index] += first[index] - first[index &- 1] }
    }
    let newest = steps + longestLag
    let (energy, one, two) = (product(newest, newest), product(newest - 1, newest - 1), product(newest - 2, newest - 2))
    let (first, second) = (product(newest, newest - 1), product(newest, newest - 2))
    let between = product(newest - 1, newest - 2)
    let determinant = one * two - between * between
    guard energy > 1e-9, determinant > 1e-6 * one * two else { return false }
    let tap = (first * two - second * between) / determinant
    let other = (second * one - first * between) / determinant
    // Smoothed in the same pass: the highs, whose periods are not whole numbers of samples, count less.
    let (b1, b2, b3) = (2 - tap, 1 - 2 * tap - other, -tap - 2 * other)
    for index in 0..<length {
      flat.pointer[8 &+ index] =
        steps[index] + b1 * steps[index &- 1] + b2 * steps[index &- 2] + b3 * steps[index &- 3]
        - other * steps[index &- 4]
    }
    let rest = flat.pointer + (8 &+ longestLag)
    return product(rest, rest) > 1e-6 * energy
  }

  /// Height of a maximum at `lag`, interpolated between the samples; 0 if there is none.
  @_noLocks @inline(__always)
  private func peak(_ values: UnsafeMutablePointer<Float>, _ lag: Int) -> Float {
    let (left, middle, right) = (values[lag &- 1], values[lag], values[lag &+ 1])
    let bend = left - 2 * middle + right
    guard middle >= left, middle >= right, bend < 0 else { return 0 }
    return min(1, middle - 0.125 * (left - right) * (left - right) / bend)
  }

  @_noLocks @inline(__always)
  private func product(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>) -> Float {
    Correlation.product(a, b, count: count)
  }
}
