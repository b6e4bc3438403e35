#if canImport(Glibc)
  import Glibc
#endif

/// A low-pass or high-pass of fourth order, in double precision: its corner may be a very small part of the sample
/// rate.
///
/// Source: Butterworth's poles by the bilinear transform, as two sections of second order.
package struct ButterworthFilter: BitwiseCopyable {
  package enum Kind { case lowPass, highPass }

  @usableFromInline struct Section: BitwiseCopyable {
    @usableFromInline let gain: Double
    @usableFromInline let a1: Double
    @usableFromInline let a2: Double

    init(_ kind: Kind, warped: Double, quality: Double) {
      let square = warped * warped
      let norm = 1 / (1 + warped / quality + square)
      gain = kind == .highPass ? norm : square * norm
      a1 = 2 * (square - 1) * norm
      a2 = (1 - warped / quality + square) * norm
    }
  }

  @usableFromInline let first: Section
  @usableFromInline let second: Section
  /// Weight of the middle tap relative to the outer taps.
  @usableFromInline let middle: Double

  package init(_ kind: Kind, hertz: Double, sampleRate: Int) {
    let warped = tan(.pi * hertz / Double(sampleRate))
    first = Section(kind, warped: warped, quality: 0.541_196_1)
    second = Section(kind, warped: warped, quality: 1.306_563)
    middle = kind == .highPass ? -2 : 2
  }

  /// Filters the next sample. Shape: `memory` begins as zeros.
  @_noLocks @inlinable @inline(__always)
  package func filter(_ sample: Double, _ memory: inout SIMD4<Double>) -> Double {
    let input = first.gain * sample
    let between = input + memory.x
    memory.x = memory.y + middle * input - first.a1 * between
    memory.y = input - first.a2 * between
    let scaled = second.gain * between
    let output = scaled + memory.z
    memory.z = memory.w + middle * scaled - second.a1 * output
    memory.w = scaled - second.a2 * output
    return output
  }
}
