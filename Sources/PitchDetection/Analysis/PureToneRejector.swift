/// Detects sounds without a voice that seem to have a period in the range of pitches.
///
/// Such sounds are single tones above the range, and the low-pass's residue of tones above its band, which decimation
/// may move to any frequency.
///
/// In a sine, the sum of a sample's two neighbors is the sample times 2 cos w; w is the angle from one sample to the
/// next. The detector subtracts that product, with the w that leaves least. The remainder shows whether there is any
/// other sound; frequencies far from w count more.
///
/// Source: Pisarenko, "The retrieval of harmonics from a covariance function", 1973, for one sine.
struct PureToneRejector: BitwiseCopyable {
  /// Power of the differences between neighboring input samples; falls by 6 dB a frame.
  private var steps: Float = 0
  private var last: Float = 0

  /// Takes a frame of the input, at any rate.
  @_noLocks
  mutating func listen(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    guard count > 0 else { return }
    let first = samples[0] - last
    var sums = SIMD8<Float>(repeating: 0)
    let signal = UnsafeRawPointer(samples)
    var index = 1
    while index &+ 8 <= count {
      let step =
        signal.loadUnaligned(fromByteOffset: 4 &* index, as: SIMD8<Float>.self)
        - signal.loadUnaligned(fromByteOffset: 4 &* index &- 4, as: SIMD8<Float>.self)
      sums += step * step
      index = index &+ 8
    }
    var sum = first * first
    for lane in 0..<8 { sum += sums[lane] }
    while index < count {
      let step = samples[index] - samples[index &- 1]
      sum += step * step
      index = index &+ 1
    }
    last = samples[count &- 1]
    let power = sum / Float(count)
    steps = power > 0.25 * steps ? power : 0.25 * steps
  }

  mutating func reset() { self = PureToneRejector() }

  /// Returns whether a window of the band contains only a tone above the range, or only the filter's residue of sound
  /// above the band.
  @_noLocks
  func isOnly(_ window: UnsafeMutablePointer<Float>, count: Int, sampleRate: Float) -> Bool {
    // The band has a rate of up to 16 kHz; with these distances, two steps take about the same time at all rates.
    let distance = sampleRate < 12_000 ? 1 : 2
    let (samples, blocks) = (UnsafeRawPointer(window), (count &- 2 &* distance) / 8)
    var (own, both) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    for block in 0..<blocks {
      let here = eight(samples, 8 &* block &+ distance)
      own += here * here
      both += (eight(samples, 8 &* block) + eight(samples, 8 &* block &+ 2 &* distance)) * here
    }
    let power = own.sum()
    // The low-pass leaves 54 dB less of sound above its band; the differences of a voice are smaller than the voice
    // itself.
    if steps > 5_000 * power / Float(8 &* blocks) { return true }
    guard power > 1e-12 else { return false }
    let double = both.sum() / power
    guard double < Self.double(1_200, distance, sampleRate) else { return false }
    // The three successive blocks with the largest remainder do not count: a tone is not pure at its beginning or end.
    var (rest, edge, before, last) = (Float(0), Float(0), Float(0), Float(0))
    for block in 0..<blocks {
      let neighbours = eight(samples, 8 &* block) + eight(samples, 8 &* block &+ 2 &* distance)
      let other = neighbours - double * eight(samples, 8 &* block &+ distance)
      let part = (other * other).sum()
      if before + last + part > edge { edge = before + last + part }
      (before, last) = (last, part)
      rest += part
    }
    let share = (rest - edge) / power
    // No voice has its strongest partial above 1.4 kHz and so little beside it. Below 1.4 kHz a voice might, so the
    // limit is lower there.
    return share < (double < Self.double(1_400, distance, sampleRate) ? 0.03 : 0.002)
  }

  @_noLocks @inline(__always)
  private func eight(_ samples: UnsafeRawPointer, _ index: Int) -> SIMD8<Float> {
    samples.loadUnaligned(fromByteOffset: 4 &* index, as: SIMD8<Float>.self)
  }

  /// Returns 2 cos w of a frequency; the angle is below 1.5, and in that range the polynomial's error is at most 1e-4.
  @_noLocks
  private static func double(_ hertz: Float, _ distance: Int, _ sampleRate: Float) -> Float {
    let angle = 6.283_185_3 * hertz * Float(distance) / sampleRate
    let square = angle * angle
    return 2 - square * (1 - square * (1.0 / 12 - square * (1.0 / 360 - square / 20_160)))
  }
}

extension SIMD8<Float> {
  @_noLocks @inline(__always)
  fileprivate func sum() -> Float {
    let four = lowHalf + highHalf
    return (four[0] + four[1]) + (four[2] + four[3])
  }
}
