import DSP

#if canImport(Glibc)
  import Glibc
#endif

/// Finds the lowest tone of a hum: one of 45 to 130 Hz that continues at one frequency.
///
/// Resonators a fifth of a hertz apart add up the phase of each band, without its power, and forget within a second.
/// The phases of a steady tone add up even under louder words, since words are louder for a part of the time only. The
/// phases of a voice do not add up: it moves by more than a fifth of a hertz within a syllable.
///
/// Source: the phase-locking value of Lachaux et al., Measuring phase synchrony in brain signals (1999), here against
/// clocks.
struct HumDetector: ~Copyable {
  /// A tone that has been found.
  struct Tone: BitwiseCopyable {
    let hertz: Float
    let band: Int
    /// Share of all phases that agree, 0...1.
    let agreement: Float
  }

  private let firstBand: Int
  private let bandCount: Int
  private let cellCount = 80
  private let hertzPerBand: Float
  /// Sums of phases; `turnReal` and `turnImaginary` are each clock's turn from one spectrum to the next.
  private let real: SpectrumBuffer
  private let imaginary: SpectrumBuffer
  private let turnReal: SpectrumBuffer
  private let turnImaginary: SpectrumBuffer
  private let keep: Float
  /// Share of all phases that must agree.
  private let agreement: Float = 0.6

  init(hertzPerBand: Double, hopSeconds: Double) {
    self.hertzPerBand = Float(hertzPerBand)
    firstBand = Int((45 / hertzPerBand).rounded())
    bandCount = Int((130 / hertzPerBand).rounded()) - firstBand + 1
    real = SpectrumBuffer(cellCount, rows: bandCount)
    imaginary = SpectrumBuffer(cellCount, rows: bandCount)
    turnReal = SpectrumBuffer(cellCount, rows: bandCount)
    turnImaginary = SpectrumBuffer(cellCount, rows: bandCount)
    keep = Float(exp(-hopSeconds / 1))
    for band in 0..<bandCount {
      for cell in 0..<cellCount {
        let place = Double(firstBand + band) + (Double(cell) + 0.5) / Double(cellCount) - 0.5
        let angle = 2 * Double.pi * place * hertzPerBand * hopSeconds
        turnReal.row(band)[cell] = keep * Float(cos(angle))
        turnImaginary.row(band)[cell] = keep * Float(sin(angle))
      }
    }
  }

  @_noLocks
  func reset() {
    real.fill(0)
    imaginary.fill(0)
  }

  /// Adds the phases of the next spectrum: in each band a number of magnitude 1, or 0 without sound.
  @_noLocks
  func update(_ phases: borrowing HumPhaseSpectrum) {
    for band in 0..<bandCount {
      let phase = phases.phase(firstBand &+ band)
      let (re, im) = (real.row(band), imaginary.row(band))
      let (turnRe, turnIm) = (turnReal.row(band), turnImaginary.row(band))
      var cell = 0
      while cell < cellCount {
        let (a, b) = (re.eight(cell), im.eight(cell))
        let (c, d) = (turnRe.eight(cell), turnIm.eight(cell))
        re.setEight(cell, a * c - b * d + phase.real)
        im.setEight(cell, a * d + b * c + phase.imaginary)
        cell = cell &+ 8
      }
    }
  }

  /// Returns the lowest steady tone, if there is one.
  @_noLocks
  func find(_ phases: borrowing HumPhaseSpectrum) -> Tone? {
    let needed = agreement / (1 - keep)
    var best: Float = 0
    for band in 0..<bandCount {
      for cell in 0..<cellCount {
        let power = power(band, cell)
        if power > best, phases.isHeard(firstBand &+ band) { best = power }
      }
    }
    guard best > needed * needed else { return nil }
    for band in 0..<bandCount where phases.isHeard(firstBand &+ band) {
      for cell in 1..<(cellCount &- 1) {
        let (before, power, after) = (power(band, cell &- 1), power(band, cell), power(band, cell &+ 1))
        guard power > 0.7 * best, power > needed * needed, power >= before, power > after else { continue }
        let bend = before - 2 * power + after
        let shift = bend < 0 ? 0.5 * (before - after) / bend : 0
        let place = Float(firstBand &+ band) + (Float(cell) + 0.5 + shift) / Float(cellCount) - 0.5
        return Tone(
          hertz: place * hertzPerBand, band: firstBand &+ band,
          agreement: (1 - keep) * fastExp2(0.5 * fastLog2(power)))
      }
    }
    return nil
  }

  /// Forgets the phases of a band and its neighbors.
  @_noLocks
  func forget(near band: Int) {
    for other in max(0, band &- firstBand &- 1)...max(0, min(bandCount &- 1, band &- firstBand &+ 1)) {
      for cell in 0..<cellCount { (real.row(other)[cell], imaginary.row(other)[cell]) = (0, 0) }
    }
  }

  @_noLocks @inline(__always)
  private func power(_ band: Int, _ cell: Int) -> Float {
    let (re, im) = (real.row(band)[cell], imaginary.row(band)[cell])
    return re * re + im * im
  }
}
