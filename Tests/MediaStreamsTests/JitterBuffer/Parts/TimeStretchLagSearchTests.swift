import Glibc
import TestSupport
import Testing

@testable import MediaStreams

@Suite(.timeLimit(.minutes(10))) struct TimeStretchLagSearchTests {
  /// A buffer whose past and next samples are those of `signal`, of which `held` wait.
  private func buffer(_ signal: [Float], held: Int) -> SampleBuffer {
    var buffer = SampleBuffer(channelCount: 1, heldCount: 8_192)
    buffer.append(interleaved: signal, count: signal.count)
    buffer.consume(signal.count - held)
    return buffer
  }

  private func voice(period: Double) -> [Float] {
    (0..<6_000).map { (index: Int) -> Float in
      let turns = 2 * Double.pi * Double(index) / period
      return (1...10).reduce(Float(0)) { sum, harmonic in sum + Float(sin(turns * Double(harmonic))) / Float(harmonic) }
    }
  }

  @Test("a voice's period, or several of them, is found to a sample", arguments: [130.0, 267.5, 400, 611])
  func periods(period: Double) {
    let search = TimeStretchLagSearch()
    let samples = buffer(voice(period: period), held: 2_000)
    let later = search.later(samples, centre: 0, longest: 720)
    let earlier = search.earlier(samples, centre: 0)
    for match in [later, earlier] {
      let periods = Double(match.lag) / period
      // Forward as many as there is room for, backward as few as can be.
      #expect(Int(periods.rounded()) == (match.lag == earlier.lag ? 1 : Int(720 / period)))
      #expect(abs(periods - periods.rounded()) * period <= 1.01, "\(match.lag)")
      #expect(match.similarity > 0.98)
    }
  }

  @Test(
    "the similarity of windows is their squared normalised correlation",
    arguments: [1, -1])
  func windows(direction: Int) {
    var random = SeededGenerator(seed: 3)
    let samples = (0..<2_000).map { Float.random(in: -1...1, using: &random) * ($0 / 400 % 2 == 0 ? 1 : 1e-5) }
    let reference = direction > 0 ? 500 : 1_200
    samples.withUnsafeBufferPointer { samples in
      var windows = TimeStretchLagSearch.Windows(
        samples.baseAddress!, reference: reference, direction: direction, count: 160)
      for lag in 1...800 {
        var (product, own, other) = (0.0, 0.0, 0.0)
        for index in 0..<160 {
          let (a, b) = (Double(samples[reference + index]), Double(samples[reference + direction * lag + index]))
          product += a * b
          own += a * a
          other += b * b
        }
        let expected = product > 0 ? product * product / own / other : 0
        let found = Double(windows.similarity(lag))
        #expect(abs(found - expected) < 1e-5, "lag \(lag)")
      }
    }
  }

  @Test("noise has no lag with a correlation of 0.2")
  func noise() {
    var random = SeededGenerator(seed: 1)
    let samples = buffer((0..<6_000).map { _ in Float.random(in: -1...1, using: &random) }, held: 2_000)
    let match = TimeStretchLagSearch().later(samples, centre: 0, longest: 720)
    #expect(match.similarity < 0.2)
  }

  @Test("no lag exceeds the searched range or is shorter than 2.5 ms", arguments: [120, 121, 200, 719])
  func limits(longest: Int) {
    let search = TimeStretchLagSearch()
    let samples = buffer(voice(period: 300), held: 240 + longest)
    let match = search.later(samples, centre: 0, longest: longest)
    #expect((120...longest).contains(match.lag))
    let other = search.earlier(samples, centre: 0, shortest: longest)
    #expect((longest...720).contains(other.lag))
  }

  @Test("silence has a correlation of 0")
  func silence() {
    let samples = buffer([Float](repeating: 0, count: 4_000), held: 2_000)
    let match = TimeStretchLagSearch().later(samples, centre: 0, longest: 720)
    #expect(match.similarity == 0)
  }
}
