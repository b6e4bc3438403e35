import DSP

#if canImport(Glibc)
  import Glibc
#endif

/// A hum: removes its lowest tone and the multiples of that, as long as they stay.
///
/// Amplitude and phase of each tone are followed so that nothing is left of it. Words move them little: if more is left
/// than a twentieth of the tone's own power, a larger rest makes the step smaller. A tone of which less than half is
/// there for a while is over.
///
/// Source: Widrow et al., Adaptive noise cancelling: principles and applications (1975), of sines; Rey Vega et al., A
/// new robust variable step-size NLMS algorithm (2008), of steps that outliers do not move.
struct HarmonicHumTracker: ~Copyable {
  /// Largest number of tones of a hum.
  static let toneCount = 24
  /// Tones of the hum. The first property, and a pointer: the compiler's thread sanitizer takes the first one for an
  /// address when a tone changes in place, and breaks on any other type.
  private let tones: UnsafeMutablePointer<HumTone>
  /// Whether there is a hum to follow.
  private(set) var isActive = false
  private let channelCount: Int
  private let hertzPerBand: Float
  private let hopSeconds: Float
  private let highest: Float
  private let amplitudes: UnsafeMutablePointer<HumAmplitude>
  private let step: Float
  private let keep: Float
  private let trustStep: Float
  /// Change of a tone's frequency for a phase of 1, in Hz.
  private let pull: Float
  /// Whether this is surely a hum; false while it may be a held note.
  private var isHum = false
  /// Spectra since the hum was found; `covered` counts those in which it continues under a louder sound.
  private var age = 0
  private var covered = 0
  private let longestNote: Int
  /// Spectra since the lowest tone was last there.
  private var missed = 0
  private let patience: Int
  private let coveredNeeded: Int
  /// Magnitude that a sum of phases must reach.
  private let needed: Float
  /// 94 dB below full scale, as a power.
  private let least: Float = 4e-10

  init(channelCount: Int, hertzPerBand: Double, bandCount: Int, hopSeconds: Double) {
    self.channelCount = channelCount
    self.hertzPerBand = Float(hertzPerBand)
    self.hopSeconds = Float(hopSeconds)
    highest = Float(Double(bandCount - 2) * hertzPerBand)
    tones = .allocate(capacity: HarmonicHumTracker.toneCount)
    tones.initialize(repeating: HumTone(hertz: 0), count: HarmonicHumTracker.toneCount)
    amplitudes = .allocate(capacity: HarmonicHumTracker.toneCount * channelCount)
    amplitudes.initialize(repeating: HumAmplitude(), count: HarmonicHumTracker.toneCount * channelCount)
    step = Float(1 - exp(-hopSeconds / 0.6))
    keep = Float(exp(-hopSeconds / 0.5))
    trustStep = Float(1 - exp(-hopSeconds / 2))
    pull = Float(0.7 * hopSeconds)
    patience = Int(2 / hopSeconds)
    coveredNeeded = Int(0.25 / hopSeconds)
    needed = 0.5 / (1 - keep)
    longestNote = Int(6 / hopSeconds)
  }

  deinit {
    tones.deallocate()
    amplitudes.deallocate()
  }

  @_noLocks
  mutating func reset() {
    isActive = false
    for index in 0..<HarmonicHumTracker.toneCount { forget(index) }
    for index in 0..<(HarmonicHumTracker.toneCount &* channelCount) { amplitudes[index].taken = .zero }
  }

  /// Starts to look for a hum.
  ///
  /// - Parameters:
  ///   - hertz: frequency of the lowest tone.
  ///   - isOld: whether the tone is as old as the sound itself, which a note never is.
  @_noLocks
  mutating func begin(hertz: Float, isOld: Bool) {
    isActive = true
    isHum = isOld
    (missed, age, covered) = (0, 0, 0)
    for index in 0..<HarmonicHumTracker.toneCount {
      forget(index)
      tones[index].hertz = hertz * Float(index &+ 1)
      tones[index].turn = Phasor.turned(tones[index].hertz * hopSeconds)
    }
  }

  /// Whether one of the tones lies within 1.5 Hz of `hertz`.
  @_noLocks
  func holds(_ hertz: Float) -> Bool {
    guard isActive else { return false }
    for index in 0..<HarmonicHumTracker.toneCount where (tones[index].hertz - hertz).magnitude < 1.5 {
      if index == 0 || tones[index].isKnown { return true }
    }
    return false
  }

  /// Removes the tones from a frame.
  ///
  /// - Parameters:
  ///   - history: the sound, with the frame at its end.
  ///   - count: samples of the frame in each channel.
  ///   - offset: samples from the middle of the newest window to the frame's first.
  ///   - sampleRate: rate of the frame, in Hz.
  ///   - isSilent: whether there is nothing, not even a hum.
  @_noLocks
  func remove(
    from history: borrowing SampleHistory, count: Int, offset: Int, sampleRate: Float, isSilent: Bool
  ) {
    for index in 0..<HarmonicHumTracker.toneCount {
      let turn = tones[index].hertz / sampleRate
      for channel in 0..<channelCount {
        let place = index &* channelCount &+ channel
        let (from, to) = (amplitudes[place].taken, isSilent ? .zero : amplitudes[place].now)
        guard from.power > 0 || to.power > 0 else { continue }
        amplitudes[place].taken = to
        let first = Phasor.turned(turn * Float(offset))
        subtract(
          first * from, first * to, turn: turn, from: history.plane(channel) + history.length, count: count)
      }
    }
  }

  /// Follows the tones in the next spectra of the remaining sound, one hop later.
  @_noLocks
  mutating func follow(_ phases: borrowing HumPhaseSpectrum) {
    guard isActive else { return }
    for index in 0..<HarmonicHumTracker.toneCount where tones[index].hertz < highest {
      let turn = tones[index].turn
      for channel in 0..<channelCount {
        let place = index &* channelCount &+ channel
        amplitudes[place].now = amplitudes[place].now * turn
        amplitudes[place].taken = amplitudes[place].taken * turn
        amplitudes[place].missing = amplitudes[place].missing * turn * keep
      }
      tones[index].phases = tones[index].phases * turn * keep
      tones[index].weight *= keep
      follow(index, phases)
    }
    if !isHum { isHum = isNoNote(phases) }
    let stays = tones[0].isKnown || !isHum && tones[0].phases.power > needed * needed
    missed = stays ? 0 : missed &+ 1
    if missed > patience {
      isActive = false
      for index in 0..<HarmonicHumTracker.toneCount { forget(index) }
    }
  }

  /// Whether the tone is surely not a note. A singer of a held note utters nothing else meanwhile, and seldom holds it
  /// for six seconds.
  @_noLocks
  private mutating func isNoNote(_ phases: borrowing HumPhaseSpectrum) -> Bool {
    age = age &+ 1
    var own: Float = 0
    for index in 0..<HarmonicHumTracker.toneCount where tones[index].hertz < highest {
      own += phases.power(near: Int(tones[index].hertz / hertzPerBand + 0.5))
    }
    let sum = tones[0].phases
    let agreement = phases.phase(Int(tones[0].hertz / hertzPerBand + 0.5)).against(sum).real
    if phases.totalPower > 1.5 * own, agreement > 0, agreement * agreement > 0.5 * sum.power { covered = covered &+ 1 }
    return age > longestNote || covered > coveredNeeded
  }

  /// Adjusts one tone to the remaining sound.
  @_noLocks
  private func follow(_ index: Int, _ phases: borrowing HumPhaseSpectrum) {
    let place = tones[index].hertz / hertzPerBand
    let band = Int(place + 0.5)
    let distance = place - Float(band)
    // Response of a raised cosine to a tone beside the middle of a band.
    let square = distance * distance
    let response = 1 - square * (0.644_9 - 0.16 * square)
    let first = index &* channelCount
    let inverse = phases.inverse(band)
    tones[index].phases = tones[index].phases + phases.phase(band)
    tones[index].weight += inverse
    var (power, left, whole) = (Float(0), Float(0), Float(0))
    var (error, seen) = (Phasor.zero, Phasor.zero)
    for channel in 0..<channelCount {
      let rest = phases.value(band, channel: channel) * (1 / response)
      let now = amplitudes[first &+ channel].now
      amplitudes[first &+ channel].missing = amplitudes[first &+ channel].missing + rest * inverse
      power += now.power
      left += rest.power
      whole += (rest + now).power
      error = error + rest.against(now)
      seen = seen + (rest + now).against(now)
    }
    if tones[index].isKnown {
      tones[index].lacking = whole < 0.25 * power ? tones[index].lacking &+ 1 : 0
      // A word may cancel the tone for a moment.
      let isOver = tones[index].lacking > 4
      let weight = isOver ? 5 : 1 / (1 + left / (0.05 * power))
      for channel in 0..<channelCount {
        let rest = phases.value(band, channel: channel) * (1 / response)
        amplitudes[first &+ channel].now = amplitudes[first &+ channel].now + rest * (step * weight)
      }
      if !isOver { tones[index].hertz += pull * weight * error.imaginary / power }
      let agrees = seen.real > 0 && seen.real * seen.real > 0.5 * whole * power
      tones[index].trust += trustStep * ((agrees ? 1 : 0) - tones[index].trust)
      if power < 0.1 * least || tones[index].trust < 0.3 { forget(index) }
    }
    learn(index, power: power)
    if tones[index].isKnown { tones[index].turn = Phasor.turned(tones[index].hertz * hopSeconds) }
  }

  /// Adds the missing part of a tone, once most phases of it agree.
  @_noLocks
  private func learn(_ index: Int, power: Float) {
    guard isHum, tones[index].phases.power > needed * needed, tones[index].weight > 0 else { return }
    let first = index &* channelCount
    let scale = 1 / tones[index].weight
    var found: Float = 0
    for channel in 0..<channelCount { found += (amplitudes[first &+ channel].missing * scale).power }
    guard found > least, found > 0.06 * power else { return }
    for channel in 0..<channelCount {
      amplitudes[first &+ channel].now = amplitudes[first &+ channel].now + amplitudes[first &+ channel].missing * scale
      amplitudes[first &+ channel].missing = .zero
    }
    if !tones[index].isKnown {
      tones[index].trust = 0.5
      if index > 0 { tones[index].hertz = tones[0].hertz * Float(index &+ 1) }
    }
    tones[index].isKnown = true
    (tones[index].phases, tones[index].weight) = (.zero, 0)
  }

  @_noLocks
  private func forget(_ index: Int) {
    tones[index].isKnown = false
    (tones[index].phases, tones[index].weight) = (.zero, 0)
    for channel in 0..<channelCount {
      amplitudes[index &* channelCount &+ channel].now = .zero
      amplitudes[index &* channelCount &+ channel].missing = .zero
    }
  }

  /// Subtracts a tone with an amplitude that changes evenly between two values.
  @_noLocks
  private func subtract(
    _ from: Phasor, _ to: Phasor, turn: Float, from samples: UnsafeMutablePointer<Float>, count: Int
  ) {
    let lanes = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7)
    var (cosine, sine) = fastTurn(lanes * turn)
    let next = Phasor.turned(8 * turn)
    let change = (to - from) * (1 / Float(count))
    var real = from.real + change.real * lanes
    var imaginary = from.imaginary + change.imaginary * lanes
    var index = 0
    while index < count {
      let tone = real * cosine - imaginary * sine
      if index &+ 8 <= count {
        samples.setEight(index, samples.eight(index) - tone)
      } else {
        for lane in 0..<(count &- index) { samples[index &+ lane] -= tone[lane] }
      }
      (cosine, sine) = (cosine * next.real - sine * next.imaginary, cosine * next.imaginary + sine * next.real)
      real += 8 * change.real
      imaginary += 8 * change.imaginary
      index = index &+ 8
    }
  }
}
