import DSP

/// Reads a voice in grains, at positions between its samples.
struct GrainReader: ~Copyable {
  private let bank: SincBank
  /// Taps of the current grain.
  private let taps: SpectrumBuffer

  init(_ tuning: PitchShiftParameters) {
    bank = SincBank(tapCount: tuning.tapCount, phaseCount: tuning.phaseCount)
    taps = SpectrumBuffer(2 * bank.maximumHalf)
  }

  /// Adds the audible part of a grain from `first` on: a position in the history, the delay behind the present.
  ///
  /// Eight samples at a time share their taps, so up to 7 more samples are read.
  @_noLocks
  func add(
    _ grain: Grain, of voice: UnsafePointer<Float>, from first: Int, to output: UnsafeMutablePointer<Float>, count: Int
  ) {
    let slope = grain.slope(from: Double(first))
    guard slope.isHeard(count: count) else { return }
    if grain.lead == 0 {
      for index in 0..<count { output[index] += slope.weight(index) * voice[first &+ index] }
      return
    }
    let position = Int64(first) << 32 &+ Int64(grain.lead * 0x1p32)
    let table = bank.table(ratio: 1)
    table.write(taps.pointer, at: position)
    let begin = voice + (Int(truncatingIfNeeded: position &>> 32) &- table.half &+ 1)
    var index = 0
    while index < count {
      let values = slope.weights(index) * product(begin + index, tapCount: 8 &* table.blockCount)
      if count &- index >= 8 {
        output.setEight(index, output.eight(index) + values)
      } else {
        for lane in 0..<(count &- index) { output[index &+ lane] += values[lane] }
      }
      index = index &+ 8
    }
  }

  /// Returns eight samples between those from `samples` on.
  @_noLocks @inline(__always)
  private func product(_ samples: UnsafePointer<Float>, tapCount: Int) -> SIMD8<Float> {
    let raw = UnsafeRawPointer(samples)
    // Two sums, which do not wait for each other.
    var (even, odd) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    for pair in 0..<(tapCount / 2) {
      let tap = 2 &* pair
      even += taps.pointer[tap] * raw.loadUnaligned(fromByteOffset: 4 &* tap, as: SIMD8<Float>.self)
      odd += taps.pointer[tap &+ 1] * raw.loadUnaligned(fromByteOffset: 4 &* tap &+ 4, as: SIMD8<Float>.self)
    }
    return even + odd
  }
}
