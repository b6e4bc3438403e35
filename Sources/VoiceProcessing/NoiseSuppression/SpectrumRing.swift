import DSP

#if canImport(Glibc)
  import Glibc
#endif

/// The newest spectra of a sound: those that are still to be classified, and those that show how it continues.
///
/// Shape: a spectrum is one complex plane for each channel, and the power of all channels together. Noise with a
/// variance of 1 has a power of 1 in every bin.
struct SpectrumRing: ~Copyable {
  /// Bins, including the one at half the rate and some copies of it, so that blocks of eight can be read.
  let paddedCount: Int
  private let channelCount: Int
  private let window: Int
  private let slotCount: Int
  /// Slot of the newest spectrum.
  private var newest = 0
  private let transform: RealTransform
  private let shape: SpectrumBuffer
  private let windowed: SpectrumBuffer
  private let real: SpectrumBuffer
  private let imaginary: SpectrumBuffer
  private let power: SpectrumBuffer
  private let smooth: SpectrumBuffer
  /// A power below any sound: 16 bits have 30 dB more.
  private let least: Float = 1e-13
  private let powerScale: Float
  /// Entries before the first bin of `power`.
  private let margin = 16

  init(_ tuning: VoiceOnlyTuning, channelCount: Int) {
    self.channelCount = channelCount
    window = tuning.window
    slotCount = tuning.lookAhead + 1
    paddedCount = tuning.binCount + 8
    transform = RealTransform(length: tuning.length)
    shape = SpectrumBuffer(tuning.window)
    windowed = SpectrumBuffer(tuning.length)
    real = SpectrumBuffer(paddedCount, rows: slotCount * channelCount)
    imaginary = SpectrumBuffer(paddedCount, rows: slotCount * channelCount)
    power = SpectrumBuffer(paddedCount + 2 * margin, rows: slotCount)
    smooth = SpectrumBuffer(paddedCount, rows: slotCount, value: least)
    power.fill(least)
    for index in 0..<window {
      // The root of a raised cosine: applied twice and added up every quarter of it, it gives 2.
      shape.pointer[index] = Float(sin(Double.pi * Double(index) / Double(window)))
    }
    powerScale = 1 / (0.5 * Float(window) * Float(channelCount))
  }

  /// Slot of the spectrum that came `age` ones before the newest.
  @_noLocks @inline(__always)
  func slot(age: Int) -> Int {
    let index = newest &- age
    return index < 0 ? index &+ slotCount : index
  }

  /// Power in each bin, by slot.
  @_noLocks @inline(__always)
  func power(_ slot: Int) -> UnsafeMutablePointer<Float> { power.row(slot) + margin }

  /// Power in each bin and its neighbours, by slot.
  @_noLocks @inline(__always)
  func smoothPower(_ slot: Int) -> UnsafeMutablePointer<Float> { smooth.row(slot) }

  /// Forgets everything.
  @_noLocks
  mutating func reset() {
    real.fill(0)
    imaginary.fill(0)
    power.fill(least)
    smooth.fill(least)
  }

  /// Advances to the next spectrum: call `analyze` for each channel of it, then `finishPower`.
  @_noLocks
  mutating func advance() {
    newest = newest &+ 1
    if newest == slotCount { newest = 0 }
    let target = power(newest)
    for index in 0..<paddedCount { target[index] = least }
  }

  /// Adds one channel's window of samples to the newest spectrum.
  @_noLocks
  func analyze(_ samples: UnsafePointer<Float>, channel: Int) {
    let (target, shape) = (windowed.pointer, shape.pointer)
    for index in 0..<window {
      // A sample 80 dB over full scale is not a sound; the square of a larger one could be infinite, and stay in the
      // averages.
      let sample = samples[index]
      target[index] = (sample > 1e4 ? 1e4 : sample < -1e4 ? -1e4 : sample) * shape[index]
    }
    let (re, im) = (real.row(row(newest, channel)), imaginary.row(row(newest, channel)))
    transform.forward(target, real: re, imaginary: im)
    let sum = power(newest)
    var index = 0
    while index < paddedCount {
      let (a, b) = (re.eight(index), im.eight(index))
      sum.setEight(index, sum.eight(index) + (a * a + b * b) * powerScale)
      index = index &+ 8
    }
  }

  /// Spreads the newest spectrum's power over neighboring bins.
  ///
  /// - Returns: the mean over the bins.
  @_noLocks
  func finishPower() -> Float {
    let bins = power(newest)
    let last = paddedCount &- 8
    for index in 1...2 { bins[-index] = bins[index] }
    for index in 1..<10 { bins[last &+ index] = bins[last] }
    let target = smooth.row(newest)
    var sum = SIMD8<Float>(repeating: 0)
    var index = 0
    while index < paddedCount {
      let outer = bins.eight(index &- 2) + bins.eight(index &+ 2)
      let inner = bins.eight(index &- 1) + bins.eight(index &+ 1)
      let centre = bins.eight(index)
      target.setEight(index, (outer + 3 * inner + 4 * centre) * (1 / 12))
      if index < last { sum += centre }
      index = index &+ 8
    }
    return sum.total / Float(last)
  }

  /// Applies the gains to the bins of a spectrum, and adds the remaining sound to `output`.
  @_noLocks
  func synthesize(
    _ slot: Int, channel: Int, gains: UnsafeMutablePointer<Float>, into output: UnsafeMutablePointer<Float>
  ) {
    let (re, im) = (real.row(row(slot, channel)), imaginary.row(row(slot, channel)))
    var index = 0
    while index < paddedCount {
      let gain = gains.eight(index)
      re.setEight(index, re.eight(index) * gain)
      im.setEight(index, im.eight(index) * gain)
      index = index &+ 8
    }
    let (samples, shape) = (windowed.pointer, shape.pointer)
    transform.inverse(real: re, imaginary: im, samples)
    let scale = 0.5 / Float(transform.length)
    for index in 0..<window { output[index] += samples[index] * shape[index] * scale }
    // The next window's transform reads these samples behind its end.
    for index in window..<transform.length { samples[index] = 0 }
  }

  @_noLocks @inline(__always)
  private func row(_ slot: Int, _ channel: Int) -> Int { slot &* channelCount &+ channel }
}
