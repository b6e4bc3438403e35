import TestSupport
import Testing

@testable import MediaStreams

@Suite(.timeLimit(.minutes(10))) struct DriftEstimatorTests {
  /// Packets of 20 ms whose sender is `ppm` fast, delayed by up to `jitter` ms and by what `path` says.
  private func estimate(
    ppm: Double, jitter: Double, seconds: Int, seed: UInt64, path: (Double) -> Double = { _ in 0 }
  ) -> (ppm: Double, isSignificant: Bool) {
    var random = SeededGenerator(seed: seed)
    var estimator = DriftEstimator()
    for number in 0..<(seconds * 50) {
      let sent = Double(number) * 20 / (1 + ppm * 1e-6)
      let arrival = sent + path(sent / 1_000) + (jitter > 0 ? Double.random(in: 0..<jitter, using: &random) : 0)
      _ = estimator.observe(arrival: Int(arrival * 1e6), delay: Int(arrival * 1e6) - number * 20_000_000)
    }
    return (estimator.ppm, estimator.isSignificant)
  }

  @Test(
    "the drift is found to 3 ppm within two minutes of jitter", .shows("receive: drift"),
    arguments: [300.0, 40, -7, -300], [0.0, 30, 80])
  func finds(ppm: Double, jitter: Double) {
    for seed in 1...3 as ClosedRange<UInt64> {
      let found = estimate(ppm: ppm, jitter: jitter, seconds: 120, seed: seed)
      #expect(abs(found.ppm - ppm) <= 3, "seed \(seed)")
      #expect(found.isSignificant || abs(ppm) < 10, "seed \(seed)")
    }
  }

  @Test("a stream without drift shows no significant drift", arguments: [0.0, 30, 80])
  func none(jitter: Double) {
    let found = (1...20 as ClosedRange<UInt64>).map { estimate(ppm: 0, jitter: jitter, seconds: 100, seed: $0) }
    #expect(found.filter(\.isSignificant).count <= 1)
  }

  @Test("a jump of the network's delay is not taken for drift")
  func jumps() {
    let found = estimate(ppm: 0, jitter: 10, seconds: 120, seed: 1) { $0 < 60 ? 20 : 60 }
    #expect(abs(found.ppm) <= 5)
    let drifting = estimate(ppm: 100, jitter: 10, seconds: 200, seed: 2) { $0 < 60 ? 60 : 20 }
    #expect(abs(drifting.ppm - 100) <= 5)
  }
}
