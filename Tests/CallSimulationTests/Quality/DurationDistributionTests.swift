import Testing

@testable import CallSimulation

@Suite(.timeLimit(.minutes(10))) struct DurationDistributionTests {
  @Test("quantiles equal those of plain sorting for delays up to a minute")
  func quantiles() {
    var distribution = DurationDistribution()
    let durations = (0..<1_000).map { Double($0 * 7_919 % 1_000) * 60 }
    for duration in durations { distribution.add(milliseconds: duration) }
    let sorted = durations.sorted()
    #expect(distribution.milliseconds(atQuantile: 0.5) == sorted[499])
    #expect(distribution.milliseconds(atQuantile: 0.95) == sorted[949])
    #expect(distribution.milliseconds(atQuantile: 1) == sorted[999])
    #expect(distribution.meanMilliseconds == sorted.reduce(0, +) / 1_000)
  }
}
