import DSP

/// Share of each bin's power that belongs to a lasting sound, not to a keystroke that is over in 40 ms.
///
/// A sound may be as strong as the sound before it or the weakest after it: an opening in the sense of morphology. A
/// vowel that begins continues; a keystroke does not. The lasting sound of one window is the sound before the next, so
/// that keystrokes in a row do not carry each other.
///
/// Source: Serra, Image analysis and mathematical morphology (1982), of openings.
struct TransientSuppressor: ~Copyable {
  /// Lasting share of each bin, 0...1.
  let share: SpectrumBuffer
  /// Weakest of the coming powers in each bin.
  let after: SpectrumBuffer
  /// Lasting power of each bin; `smoothPower` is that of each bin with its neighbors.
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

  /// Computes the lasting power of the oldest spectrum in a ring.
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
      // Rises by 0.2 dB a window beyond the known lasting power; falls to the present power in two windows.
      let lasting = lesser(level, 1.05 * limit)
      reference.pointer.setEight(index, larger(lasting, 0.4 * before + 0.6 * lasting))
    }
  }
}
