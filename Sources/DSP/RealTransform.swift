#if canImport(Glibc)
  import Glibc
#endif

/// The discrete Fourier transform of real numbers, and its inverse.
///
/// Two neighbors form one complex number; the transform works on half as many of those, and its result is separated
/// again. Stockham's order needs no reversal of bits, and its inner loops run over neighbors.
///
/// Source: Van Loan, Computational Frameworks for the Fast Fourier Transform (1992), 1.7.
package struct RealTransform: ~Copyable {
  /// Count of real numbers; a power of two, at least 32.
  package let length: Int
  private let half: Int
  /// Two work planes of complex numbers, real and imaginary parts apart.
  private let work: SpectrumBuffer
  /// Powers of the root of unity of each stage in turn: `half - 1` in all.
  private let rootsReal: SpectrumBuffer
  private let rootsImaginary: SpectrumBuffer
  /// Powers of the root of unity of the first three stages, one row each; each power as often as the stage uses it.
  private let spreadReal: SpectrumBuffer
  private let spreadImaginary: SpectrumBuffer
  /// exp(-2 pi i k / length), k up to half.
  private let turnsReal: SpectrumBuffer
  private let turnsImaginary: SpectrumBuffer

  package init(length: Int) {
    precondition(length >= 32 && length.nonzeroBitCount == 1, "a transform's length is a power of two from 32 on")
    self.length = length
    half = length / 2
    work = SpectrumBuffer(half, rows: 4)
    rootsReal = SpectrumBuffer(half)
    rootsImaginary = SpectrumBuffer(half)
    turnsReal = SpectrumBuffer(half + 1)
    turnsImaginary = SpectrumBuffer(half + 1)
    var place = 0
    var size = half
    while size > 1 {
      for power in 0..<(size / 2) {
        let angle = -2 * Double.pi * Double(power) / Double(size)
        rootsReal.pointer[place] = Float(cos(angle))
        rootsImaginary.pointer[place] = Float(sin(angle))
        place += 1
      }
      size /= 2
    }
    spreadReal = SpectrumBuffer(half / 2, rows: 3)
    spreadImaginary = SpectrumBuffer(half / 2, rows: 3)
    for stage in 0..<3 {
      for index in 0..<(half / 2) {
        let angle = -2 * Double.pi * Double((index >> stage) << stage) / Double(half)
        spreadReal.row(stage)[index] = Float(cos(angle))
        spreadImaginary.row(stage)[index] = Float(sin(angle))
      }
    }
    for index in 0...half {
      let angle = -2 * Double.pi * Double(index) / Double(length)
      turnsReal.pointer[index] = Float(cos(angle))
      turnsImaginary.pointer[index] = Float(sin(angle))
    }
  }

  /// Transforms `length` samples to `length / 2 + 1` bins. The planes must not overlap.
  @_noLocks
  package func forward(
    _ samples: UnsafePointer<Float>, real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>
  ) {
    let (re, im) = (work.row(0), work.row(1))
    for index in 0..<half {
      re[index] = samples[2 &* index]
      im[index] = samples[2 &* index &+ 1]
    }
    let row = transform()
    let (evenRe, evenIm) = (work.row(row), work.row(row &+ 1))
    real[0] = evenRe[0] + evenIm[0]
    imaginary[0] = 0
    real[half] = evenRe[0] - evenIm[0]
    imaginary[half] = 0
    let (turnRe, turnIm) = (turnsReal.pointer, turnsImaginary.pointer)
    for index in 1..<half {
      let mirror = half &- index
      let (a, b) = (evenRe[index] + evenRe[mirror], evenIm[index] - evenIm[mirror])
      let (c, d) = (evenIm[index] + evenIm[mirror], evenRe[mirror] - evenRe[index])
      real[index] = 0.5 * (a + turnRe[index] * c - turnIm[index] * d)
      imaginary[index] = 0.5 * (b + turnRe[index] * d + turnIm[index] * c)
    }
  }

  /// Transforms `length / 2 + 1` bins back to `length` samples, `length` times their original size.
  @_noLocks
  package func inverse(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, _ samples: UnsafeMutablePointer<Float>
  ) {
    let (re, im) = (work.row(0), work.row(1))
    let (turnRe, turnIm) = (turnsReal.pointer, turnsImaginary.pointer)
    for index in 0..<half {
      let mirror = half &- index
      let (a, b) = (real[index] + real[mirror], imaginary[index] - imaginary[mirror])
      let (c, d) = (real[index] - real[mirror], imaginary[index] + imaginary[mirror])
      let oddRe = turnRe[index] * c + turnIm[index] * d
      let oddIm = turnRe[index] * d - turnIm[index] * c
      // Conjugated, so that the forward transform is the inverse one.
      re[index] = a - oddIm
      im[index] = -(b + oddRe)
    }
    let row = transform()
    let (outRe, outIm) = (work.row(row), work.row(row &+ 1))
    for index in 0..<half {
      samples[2 &* index] = outRe[index]
      samples[2 &* index &+ 1] = -outIm[index]
    }
  }

  /// Transforms the complex numbers in rows 0 and 1.
  ///
  /// - Returns: Index of the first of the two rows with the result.
  @_noLocks
  private func transform() -> Int {
    var source = 0
    var span = 1
    var size = half
    var roots = 0
    while size > 1 {
      stage(from: source, to: 2 &- source, count: size / 2, span: span, roots: roots)
      roots = roots &+ size / 2
      source = 2 &- source
      span = span &* 2
      size = size / 2
    }
    return source
  }

  @_noLocks @inline(__always)
  private func stage(from source: Int, to target: Int, count: Int, span: Int, roots: Int) {
    let (inRe, inIm) = (work.row(source), work.row(source &+ 1))
    let (outRe, outIm) = (work.row(target), work.row(target &+ 1))
    let far = span &* count
    if span < 8 { return narrowStage(from: source, to: target, span: span) }
    for power in 0..<count {
      let (rootRe, rootIm) = (rootsReal.pointer[roots &+ power], rootsImaginary.pointer[roots &+ power])
      let (near, to) = (span &* power, 2 &* span &* power)
      var index = 0
      while index < span {
        let (aRe, aIm) = (inRe.eight(near &+ index), inIm.eight(near &+ index))
        let (bRe, bIm) = (inRe.eight(near &+ far &+ index), inIm.eight(near &+ far &+ index))
        outRe.setEight(to &+ index, aRe + bRe)
        outIm.setEight(to &+ index, aIm + bIm)
        let (re, im) = (aRe - bRe, aIm - bIm)
        outRe.setEight(to &+ span &+ index, re * rootRe - im * rootIm)
        outIm.setEight(to &+ span &+ index, re * rootIm + im * rootRe)
        index = index &+ 8
      }
    }
  }

  /// Runs a stage with sums and differences that alternate within eight values.
  @_noLocks @inline(__always)
  private func narrowStage(from source: Int, to target: Int, span: Int) {
    let (inRe, inIm) = (work.row(source), work.row(source &+ 1))
    let (outRe, outIm) = (work.row(target), work.row(target &+ 1))
    let row = span / 2
    let (rootsRe, rootsIm) = (spreadReal.row(row), spreadImaginary.row(row))
    let far = half / 2
    var index = 0
    while index < far {
      let (aRe, aIm) = (inRe.eight(index), inIm.eight(index))
      let (bRe, bIm) = (inRe.eight(far &+ index), inIm.eight(far &+ index))
      let (rootRe, rootIm) = (rootsRe.eight(index), rootsIm.eight(index))
      let (re, im) = (aRe - bRe, aIm - bIm)
      weave(aRe + bRe, re * rootRe - im * rootIm, span: span, to: outRe + 2 &* index)
      weave(aIm + bIm, re * rootIm + im * rootRe, span: span, to: outIm + 2 &* index)
      index = index &+ 8
    }
  }

  /// Writes `span` values (1, 2 or 4) of `a` and of `b` in turn.
  @_noLocks @inline(__always)
  private func weave(_ a: SIMD8<Float>, _ b: SIMD8<Float>, span: Int, to target: UnsafeMutablePointer<Float>) {
    let raw = UnsafeMutableRawPointer(target)
    if span == 1 {
      var values = SIMD16<Float>()
      (values.evenHalf, values.oddHalf) = (a, b)
      raw.storeBytes(of: values, as: SIMD16<Float>.self)
    } else if span == 2 {
      var pairs = SIMD8<Double>()
      pairs.evenHalf = unsafeBitCast(a, to: SIMD4<Double>.self)
      pairs.oddHalf = unsafeBitCast(b, to: SIMD4<Double>.self)
      raw.storeBytes(of: pairs, as: SIMD8<Double>.self)
    } else {
      raw.storeBytes(of: SIMD8<Float>(lowHalf: a.lowHalf, highHalf: b.lowHalf), as: SIMD8<Float>.self)
      raw.storeBytes(
        of: SIMD8<Float>(lowHalf: a.highHalf, highHalf: b.highHalf), toByteOffset: 32, as: SIMD8<Float>.self)
    }
  }
}
