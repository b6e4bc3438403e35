import Glibc
import TestSupport
import Testing

@testable import DSP

@Suite(.timeLimit(.minutes(10))) struct RealTransformTests {
  @Test("the transform equals its defining sum to 1e-6 of the largest bin", arguments: [32, 64, 256, 1_024])
  func definition(length: Int) {
    let transform = RealTransform(length: length)
    let samples = Signals.noise(count: length, amplitude: 1, seed: 9)
    let real = SpectrumBuffer(length / 2 + 1)
    let imaginary = SpectrumBuffer(length / 2 + 1)
    transform.forward(samples, real: real.pointer, imaginary: imaginary.pointer)
    var worst = 0.0
    var largest = 0.0
    for bin in 0...(length / 2) {
      var (re, im) = (0.0, 0.0)
      for (index, sample) in samples.enumerated() {
        let angle = -2 * Double.pi * Double(bin * index % length) / Double(length)
        re += Double(sample) * cos(angle)
        im += Double(sample) * sin(angle)
      }
      worst = max(worst, hypot(re - Double(real.pointer[bin]), im - Double(imaginary.pointer[bin])))
      largest = max(largest, hypot(re, im))
    }
    #expect(worst < 1e-6 * largest)
  }

  @Test("a round trip is the input times the length", arguments: [32, 512, 4_096])
  func roundTrip(length: Int) {
    let transform = RealTransform(length: length)
    let samples = Signals.noise(count: length, amplitude: 1, seed: 10)
    let real = SpectrumBuffer(length / 2 + 1)
    let imaginary = SpectrumBuffer(length / 2 + 1)
    transform.forward(samples, real: real.pointer, imaginary: imaginary.pointer)
    let back = SpectrumBuffer(length)
    transform.inverse(real: real.pointer, imaginary: imaginary.pointer, back.pointer)
    #expect(samples.indices.allSatisfy { abs(back.pointer[$0] / Float(length) - samples[$0]) < 1e-6 })
  }

  @Test("logarithm and power of two agree with the C library, eight at a time")
  func functions() {
    for step in -2_000...2_000 {
      let value = Float(step) / 31
      let power = fastExp2(SIMD8<Float>(repeating: value))[3]
      #expect(abs(power / exp2(value) - 1) < 2e-5, "2 to the power of \(value)")
      #expect(
        abs(fastLog2(SIMD8<Float>(repeating: exp2(value)))[5] - value) < 3e-5 + 1e-6 * abs(value), "log2 of 2^\(value)")
    }
    #expect(fastExp2(SIMD8<Float>(repeating: -1_000))[0] < 1e-29)
  }
}
