import Glibc
import TestSupport
import Testing

@testable import MediaStreams

@Suite(.timeLimit(.minutes(10))) struct DriftResamplerTests {
  /// Gives `frames` x 480 samples out of a signal at 1 + `rate` samples each.
  private func run(_ signal: (Int) -> Float, rate: Double, frames: Int) -> (output: [Float], consumed: Int) {
    var resampler = DriftResampler()
    resampler.setRate(rate)
    let count = frames * 482 + 64
    let input = (0..<count).map { signal($0 - 32) }
    var output = [Float](repeating: 0, count: frames * 480)
    var consumed = 0
    for frame in 0..<frames {
      input.withUnsafeBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
          resampler.process(input.baseAddress! + 32 + consumed, into: output.baseAddress! + frame * 480, count: 480)
        }
      }
      consumed += resampler.consumption(480)
      resampler.advance(480)
    }
    return (output, consumed)
  }

  @Test("at a rate of 1 every bit stays")
  func copies() {
    var random = SeededGenerator(seed: 2)
    let noise = (0..<10_000).map { _ in Float.random(in: -1...1, using: &random) }
    let (output, consumed) = run({ noise[$0 + 100] }, rate: 0, frames: 10)
    #expect(consumed == 4_800)
    #expect(output == Array(noise[100..<4_900]))
  }

  @Test(
    "a sine comes out at its frequency times the rate, to 60 dB", arguments: [100.0, 997, 5_000, 12_000],
    [3e-4, -3e-4, 1.3e-5])
  func sine(hertz: Double, rate: Double) {
    func wave(_ position: Double) -> Double { 0.7 * sin(2 * Double.pi * hertz * position / 48_000) }
    let (output, consumed) = run({ Float(wave(Double($0))) }, rate: rate, frames: 100)
    #expect(abs(Double(consumed) - 48_000 * (1 + rate)) <= 1)
    var (signal, noise) = (0.0, 0.0)
    for (index, sample) in output.enumerated() {
      // The rate is a multiple of 2^-32.
      let expected = wave(Double(index) * (1 + (rate * 0x1p32).rounded(.towardZero) * 0x1p-32))
      signal += expected * expected
      noise += (Double(sample) - expected) * (Double(sample) - expected)
    }
    #expect(10 * log10(signal / noise) >= 60, "\(10 * log10(signal / noise)) dB")
  }

  @Test("a sine stays a sine while the rate changes from frame to frame")
  func changes() {
    var random = SeededGenerator(seed: 4)
    var resampler = DriftResampler()
    func wave(_ position: Double) -> Double { 0.7 * sin(2 * Double.pi * 997 * position / 48_000) }
    let input = (0..<50_000).map { Float(wave(Double($0 - 32))) }
    var output = [Float](repeating: 0, count: 480)
    var (position, consumed) = (0.0, 0)
    var (signal, noise) = (0.0, 0.0)
    for _ in 0..<100 {
      let rate = Double.random(in: -7e-4...7e-4, using: &random)
      resampler.setRate(rate)
      input.withUnsafeBufferPointer { resampler.process($0.baseAddress! + 32 + consumed, into: &output, count: 480) }
      for sample in output {
        let expected = wave(position)
        position += 1 + (rate * 0x1p32).rounded(.towardZero) * 0x1p-32
        signal += expected * expected
        noise += (Double(sample) - expected) * (Double(sample) - expected)
      }
      consumed += resampler.consumption(480)
      resampler.advance(480)
    }
    #expect(abs(Double(consumed) - position) <= 1)
    #expect(10 * log10(signal / noise) >= 60, "\(10 * log10(signal / noise)) dB")
  }

  @Test("the resampler settles on a whole sample within a frame, then copies")
  func settles() {
    var random = SeededGenerator(seed: 9)
    let noise = (0..<4_000).map { _ in Float.random(in: -1...1, using: &random) }
    var resampler = DriftResampler()
    var output = [Float](repeating: 0, count: 480)
    var position = 100
    for frame in 0..<4 {
      if frame == 0 { resampler.setRate(7e-4) } else { resampler.settle(over: 480) }
      noise.withUnsafeBufferPointer { resampler.process($0.baseAddress! + position, into: &output, count: 480) }
      if frame > 1 { #expect(output == Array(noise[position..<(position + 480)])) }
      position += resampler.consumption(480)
      resampler.advance(480)
    }
    #expect(position == 100 + 4 * 480)
  }
}
