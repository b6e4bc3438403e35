import DSP

/// A complex number: amplitude and phase of a tone.
struct Phasor: BitwiseCopyable {
  var real: Float
  var imaginary: Float

  @_noLocks @inline(__always)
  init(_ real: Float, _ imaginary: Float) { (self.real, self.imaginary) = (real, imaginary) }

  static var zero: Phasor { @_noLocks @inline(__always) get { Phasor(0, 0) } }

  var power: Float { @_noLocks @inline(__always) get { real * real + imaginary * imaginary } }

  @_noLocks @inline(__always)
  static func + (a: Phasor, b: Phasor) -> Phasor { Phasor(a.real + b.real, a.imaginary + b.imaginary) }

  @_noLocks @inline(__always)
  static func - (a: Phasor, b: Phasor) -> Phasor { Phasor(a.real - b.real, a.imaginary - b.imaginary) }

  @_noLocks @inline(__always)
  static func * (a: Phasor, b: Phasor) -> Phasor {
    Phasor(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
  }

  @_noLocks @inline(__always)
  static func * (a: Phasor, factor: Float) -> Phasor { Phasor(a.real * factor, a.imaginary * factor) }

  /// Product with the conjugate of another phasor.
  @_noLocks @inline(__always)
  func against(_ other: Phasor) -> Phasor {
    Phasor(real * other.real + imaginary * other.imaginary, imaginary * other.real - real * other.imaginary)
  }

  /// Phasor of magnitude 1 after a number of turns.
  @_noLocks @inline(__always)
  static func turned(_ turns: Float) -> Phasor {
    let (real, imaginary) = fastTurn(SIMD8(repeating: turns))
    return Phasor(real[0], imaginary[0])
  }
}
