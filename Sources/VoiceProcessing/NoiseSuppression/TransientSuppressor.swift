import DSP

/// How much of each bin's power belongs to what lasts, and not to a stroke that is over in 40 ms.
///
/// A sound may be as strong as what was before it or the weakest of what comes after it: an opening in the sense of
/// morphology. A vowel that begins goes on; a keystroke does not. What has been taken for lasting is what was before
/// the next window, so that strokes in a row do not carry each other.
///
/// Source: Serra, Image analysis and mathematical morphology (1982), of openings.
struct TransientSuppressor: ~Copyable {
  /// The lasting share of each bin, 0...1.
  let share: SpectrumBuffer
  /// The weakest of what comes after.
  let after: SpectrumBuffer
  /// The lasting power: of each bin, and of each with its neighbours.
  let power: SpectrumBuffer
  let smoothPower: SpectrumBuffer
  private let reference: SpectrumBuffer
  private let blockCount: Int
  private let lookAhead: Int

  init(_ tuning: VoiceOnlyTuning) {
    let count = tuning.binCount + 8
    blockCount = count / 8
    lookAhead = tuning.lookAhead
    share = SpectrumBuffer(count, value: 1)
    after = SpectrumBuffer(count)
    power = SpectrumBuffer(count)
    smoothPower = SpectrumBuffer(count)
    reference = SpectrumBuffer(count, value: 1e-13)
  }

  @_noLocks
  func reset() { reference.fill(1e-13) }

  /// Judges the oldest spectrum of a ring.
  @_noLocks
  func update(_ ring: borrowing SpectrumRing) {
    let slot = ring.slot(age: lookAhead)
    let (bins, smooth) = (ring.power(slot), ring.smoothPower(slot))
    let last = ring.smoothPower(ring.slot(age: 0))
    for block in 0..<blockCount { after.pointer.setEight(8 &* block, last.eight(8 &* block)) }
    for age in 1..<lookAhead {
      let next = ring.smoothPower(ring.slot(age: age))
      for block in 0..<blockCount {
        let index = 8 &* block
        after.pointer.setEight(index, lesser(after.pointer.eight(index), next.eight(index)))
      }
    }
    for block in 0..<blockCount {
      let index = 8 &* block
      let before = reference.pointer.eight(index)
      let limit = larger(before, after.pointer.eight(index))
      let level = smooth.eight(index)
      let share = lesser(limit / level, SIMD8(repeating: 1))
      self.share.pointer.setEight(index, share)
      power.pointer.setEight(index, bins.eight(index) * share)
      smoothPower.pointer.setEight(index, level * share)
      // Rises by 0.2 dB a window beyond what is known to last; falls to what is there in two.
      let lasting = lesser(level, 1.05 * limit)
      reference.pointer.setEight(index, larger(lasting, 0.4 * before + 0.6 * lasting))
    }
  }
}
