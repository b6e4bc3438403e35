import DSP

#if canImport(Glibc)
  import Glibc
#endif

/// Spectra of the newest 64 ms of the decimated sound: amplitude and phase of each band of 16 Hz, and the phase alone.
///
/// Phases are those in the middle of the window; the phase of each tone is turned to it.
struct HumPhaseSpectrum: ~Copyable {
  /// Decimated samples of a window.
  let length = 256
  let bandCount: Int
  private let channelCount: Int
  private let transform: RealTransform
  private let shape: SpectrumBuffer
  private let windowed: SpectrumBuffer
  private let real: SpectrumBuffer
  private let imaginary: SpectrumBuffer
  private let phaseReal: SpectrumBuffer
  private let phaseImaginary: SpectrumBuffer
  /// Reciprocal of the magnitude; `inverseMean` is its mean, in which words count little because they come and go.
  private let inverse: SpectrumBuffer
  private let inverseMean: SpectrumBuffer
  private let power: SpectrumBuffer
  /// Power of all bands except the lowest two.
  private(set) var totalPower: Float = 0
  /// Smallest `inverseMean` of all bands.
  private var least: Float = 1e9
  private let signs = SIMD8<Float>(1, -1, 1, -1, 1, -1, 1, -1)
  private let keep: Float

  init(channelCount: Int, hertzPerBand: Double, hopSeconds: Double) {
    self.channelCount = channelCount
    bandCount = min(length / 2, Int(1_800 / hertzPerBand) / 8 * 8 + 8)
    transform = RealTransform(length: length)
    shape = SpectrumBuffer(length)
    windowed = SpectrumBuffer(length)
    real = SpectrumBuffer(length / 2 + 8, rows: channelCount)
    imaginary = SpectrumBuffer(length / 2 + 8, rows: channelCount)
    phaseReal = SpectrumBuffer(bandCount)
    phaseImaginary = SpectrumBuffer(bandCount)
    inverse = SpectrumBuffer(bandCount)
    inverseMean = SpectrumBuffer(bandCount)
    power = SpectrumBuffer(bandCount)
    keep = Float(exp(-hopSeconds / 1))
    for index in 0..<length {
      // A raised cosine that makes a tone's magnitude its amplitude.
      shape.pointer[index] = Float((1 - cos(2 * Double.pi * Double(index) / Double(length))) * 2 / Double(length))
    }
  }

  @_noLocks
  mutating func reset() {
    inverseMean.fill(0)
    least = 1e9
  }

  /// Transforms a channel's window.
  @_noLocks
  func analyze(_ samples: UnsafePointer<Float>, channel: Int) {
    for index in 0..<length {
      // A sample 80 dB over full scale is not a sound, and larger ones soon stop being numbers.
      let sample = samples[index]
      windowed.pointer[index] = sample.magnitude < 1e4 ? sample * shape.pointer[index] : 0
    }
    transform.forward(windowed.pointer, real: real.row(channel), imaginary: imaginary.row(channel))
  }

  /// Finds the phases of all channels together.
  @_noLocks
  mutating func finish() {
    var (least, total) = (SIMD8<Float>(repeating: 1e9), SIMD8<Float>(repeating: 0))
    var band = 0
    while band < bandCount {
      var (re, im) = (real.row(0).eight(band), imaginary.row(0).eight(band))
      // A weighted sum: in a plain one, a hum of opposite phases would be lost.
      var weight: Float = 1
      for channel in 1..<max(1, channelCount) {
        weight *= 0.7
        re += real.row(channel).eight(band) * weight
        im += imaginary.row(channel).eight(band) * weight
      }
      let power = re * re + im * im
      self.power.pointer.setEight(band, power)
      total += power
      let isThere = power .> 1e-14
      let scale = fastExp2(-0.5 * fastLog2(larger(power, SIMD8(repeating: 1e-14))))
        .replacing(with: 0, where: .!isThere)
      phaseReal.pointer.setEight(band, re * scale * signs)
      phaseImaginary.pointer.setEight(band, im * scale * signs)
      inverse.pointer.setEight(band, scale)
      let now = scale.replacing(with: 1e7, where: .!isThere)
      let mean = keep * inverseMean.pointer.eight(band) + (1 - keep) * now
      inverseMean.pointer.setEight(band, mean)
      least = lesser(least, mean)
      band = band &+ 8
    }
    self.least = least.min()
    totalPower = total.total - self.power.pointer[0] - self.power.pointer[1]
  }

  /// Amplitude and phase of a tone in the middle of a channel's band.
  @_noLocks @inline(__always)
  func value(_ band: Int, channel: Int) -> Phasor {
    let sign: Float = band & 1 == 0 ? 1 : -1
    return Phasor(sign * real.row(channel)[band], sign * imaginary.row(channel)[band])
  }

  /// Phase of a band, of magnitude 1, or 0 without sound.
  @_noLocks @inline(__always)
  func phase(_ band: Int) -> Phasor { Phasor(phaseReal.pointer[band], phaseImaginary.pointer[band]) }

  /// Power in a band and its two neighbors.
  @_noLocks @inline(__always)
  func power(near band: Int) -> Float {
    power.pointer[band &- 1] + power.pointer[band] + power.pointer[min(band &+ 1, bandCount &- 1)]
  }

  /// Reciprocal of a band's magnitude, or 0 without sound.
  @_noLocks @inline(__always)
  func inverse(_ band: Int) -> Float { inverse.pointer[band] }

  /// Whether a band holds a sound of its own; false for the leakage of a band that is louder by 34 dB or more, and for
  /// 94 dB below full scale.
  @_noLocks
  func isHeard(_ band: Int) -> Bool { inverseMean.pointer[band] < min(50 * least, 5e4) }
}
