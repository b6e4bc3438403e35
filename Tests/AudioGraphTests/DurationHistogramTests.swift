import AudioGraph
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DurationHistogramTests {
  @Test("quantiles lie within 6 % above those of the sorted list", arguments: 0..<20)
  func quantiles(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let meter = DurationHistogram()
    // Evenly spread over the octaves, from nanoseconds to seconds.
    let values = (0..<2_000).map { _ in
      Int.random(in: 1..<(1 << Int.random(in: 1...32, using: &generator)), using: &generator)
    }
    for value in values { meter.record(nanoseconds: value) }
    let sorted = values.sorted()
    for quantile in [0.0, 0.001, 0.01, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1] {
      let rank = max(1, Int((quantile * 2_000).rounded(.up)))
      let exact = sorted[rank - 1]
      let measured = meter.nanoseconds(atQuantile: quantile)
      #expect(measured >= exact, "seed \(seed), quantile \(quantile)")
      #expect(Double(measured) <= Double(exact) * (1 + 1 / 16.0), "seed \(seed), quantile \(quantile)")
    }
    #expect(meter.count == 2_000)
    #expect(meter.maximumNanoseconds == sorted.last)
    #expect(meter.totalNanoseconds == values.reduce(0, +))
    #expect(meter.nanoseconds(atQuantile: 1) == sorted.last)
  }

  @Test("short calls are kept exactly", arguments: 1...16)
  func short(value: Int) {
    let meter = DurationHistogram()
    meter.record(nanoseconds: value)
    meter.record(nanoseconds: 1_000)
    #expect(meter.nanoseconds(atQuantile: 0.5) == value)
  }

  @Test("a meter that has seen nothing shows zeros")
  func empty() {
    let meter = DurationHistogram()
    #expect(meter.count == 0)
    #expect(meter.maximumNanoseconds == 0)
    #expect(meter.totalNanoseconds == 0)
    #expect(meter.nanoseconds(atQuantile: 0.5) == 0)
  }

  @Test("times of zero and less count as one nanosecond, hours are not lost", arguments: [0, -5, Int.min])
  func extremes(value: Int) {
    let meter = DurationHistogram()
    meter.record(nanoseconds: value)
    #expect(meter.maximumNanoseconds == 1)
    meter.record(nanoseconds: 36_000_000_000_000)
    #expect(meter.count == 2)
    #expect(meter.nanoseconds(atQuantile: 1) == 36_000_000_000_000)
  }
}
