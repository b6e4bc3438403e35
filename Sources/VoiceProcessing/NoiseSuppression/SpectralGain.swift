import DSP

/// The gain of each bin that leaves speech and takes noise away.
///
/// Source: Ephraim and Malah, Speech enhancement using a minimum mean-square error log-spectral amplitude estimator
/// (1985); Cohen and Berdugo, Speech enhancement for non-stationary noise environments (2001), of the weighting by the
/// probability of speech.
struct SpectralGain: ~Copyable {
  /// Gain of each bin.
  let gains: SpectrumBuffer
  /// Estimated power of speech in the previous window.
  private let speech: SpectrumBuffer
  private let blockCount: Int

  init(_ tuning: VoiceOnlyTuning) {
    let count = tuning.binCount + 8
    blockCount = count / 8
    gains = SpectrumBuffer(count)
    speech = SpectrumBuffer(count)
  }

  @_noLocks
  func reset() { speech.fill(0) }

  /// Computes the gains of a window.
  ///
  /// - Parameters:
  ///   - bins: power in each bin.
  ///   - smooth: power in each bin and its neighbors.
  ///   - cap: the lasting power of the window.
  ///   - noise: power of the certain noise.
  ///   - keys: power of the keystrokes.
  ///   - floor: log2 of the gain for noise alone.
  ///   - gate: log2 of a gain for everything.
  @_noLocks
  func update(
    _ bins: UnsafeMutablePointer<Float>, _ smooth: UnsafeMutablePointer<Float>, _ cap: borrowing TransientSuppressor,
    _ noise: UnsafeMutablePointer<Float>, _ keys: borrowing KeystrokeDetector, floor: Float, gate: Float
  ) {
    for block in 0..<blockCount {
      let index = 8 &* block
      var power = bins.eight(index)
      var capped = SIMD8<Float>(repeating: gate)
      if keys.isTyping {
        // Removes at most the power of keystrokes: a bin that is 20 dB stronger stays as it is.
        let spared = 1 - 100 * keys.power.pointer.eight(index) / smooth.eight(index)
        let share = larger(larger(cap.share.pointer.eight(index), spared), SIMD8(repeating: 3e-4))
        power *= share
        capped += 0.5 * fastLog2(share)
      }
      gains.pointer.setEight(index, fastExp2(gain(power, noise.eight(index), index, floor: floor) + capped))
    }
  }

  /// log2 of the gain for steady noise.
  @_noLocks @inline(__always)
  private func gain(
    _ power: SIMD8<Float>, _ noise: SIMD8<Float>, _ index: Int, floor: Float
  ) -> SIMD8<Float> {
    let posterior = lesser(power / noise, SIMD8(repeating: 1e4))
    let instant = larger(posterior - 1, SIMD8(repeating: 0))
    let prior = larger(0.98 * speech.pointer.eight(index) / noise + 0.02 * instant, SIMD8(repeating: 0.003))
    let wiener = prior / (1 + prior)
    let place = wiener * posterior
    // Half of the exponential integral, by pieces in log2.
    let log = fastLog2(larger(place, SIMD8(repeating: 0.001)))
    var integral = -0.695_4 * log - 0.6
    integral.replace(with: -0.464_8 * log + 0.166, where: place .>= 0.1)
    integral.replace(with: fastExp2(-1.727_4 * place - 0.863_7), where: place .>= 1)
    let open = lesser(fastLog2(wiener) + 0.721_35 * integral, SIMD8(repeating: 0))
    speech.pointer.setEight(index, fastExp2(2 * open) * power)
    // The probability of speech is 0.6 before any evidence.
    let odds = (0.4 / 0.6) * (1 + prior) * fastExp2(-1.442_695 * place)
    let probability = 1 / (1 + odds)
    let mixed = probability * larger(open, SIMD8(repeating: -10)) + (1 - probability) * floor
    return larger(mixed, SIMD8(repeating: floor))
  }
}
