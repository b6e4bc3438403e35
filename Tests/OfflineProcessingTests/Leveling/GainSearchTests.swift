import Glibc
import Testing

@testable import OfflineProcessing

@Suite(.timeLimit(.minutes(10))) struct GainSearchTests {
  /// Searches on a known curve: up to the knee a LU a dB, then `curve` of the gain above it.
  ///
  /// - Returns: the gain found, and the number of trials.
  private func search(
    target: Double, knee: Double, trials most: Int = 3, _ curve: (Double) -> Double
  ) -> (gain: Double, loudness: Double, trials: Int) {
    func loudness(_ gain: Double) -> Double { gain <= knee ? -30 + gain : -30 + knee + curve(gain - knee) }
    var search = GainSearch(target: target, loudness: -30, headroom: knee + 0.4, knee: knee)
    var trials = 0
    while trials < most {
      trials += 1
      let measured = search.candidates.map(loudness)
      search.add(measured)
      let isClose = measured.contains { abs($0 - target) < 0.05 }
      if isClose || search.isExhausted { return (search.nearestGain, loudness(search.nearestGain), trials) }
      if search.isCertain { break }
    }
    return (search.gain, loudness(search.gain), trials)
  }

  @Test("without limiting the first estimate is the difference", arguments: [-40.0, -31, -12])
  func unlimited(target: Double) {
    let found = search(target: target, knee: 20) { $0 }
    #expect(abs(found.gain - (target + 30)) < 1e-9 && found.trials == 1)
  }

  @Test(
    "the loudness is within 0.1 LU after three trials under any limiting",
    arguments: [1.0, 3, 8, 16], [0.5, 3, 10])
  func limited(above: Double, bend: Double) {
    // Logarithms, saturation that still reaches the target, a share that stays the same, and clicks that hide the rise
    // of the rest.
    let curves: [(String, (Double) -> Double)] = [
      ("log", { 8 * bend * log1p($0 / (8 * bend)) }), ("line", { $0 * bend / (bend + 0.5) }),
      ("clicks", { 10 * log10(1 + pow(10, ($0 - 5 - bend) / 10)) - 10 * log10(1 + pow(10, (-5 - bend) / 10)) }),
      ("saturated", { (above + bend) * (1 - exp(-$0 / (above + bend))) }),
    ]
    for (name, curve) in curves where curve(above + 23) > above {
      let found = search(target: -20 + above, knee: 10, curve)
      #expect(abs(found.loudness - (-20 + above)) <= 0.1, "\(name): \(found)")
    }
  }

  @Test("an unreachable loudness ends at a gain 24 dB above the difference")
  func unreachable() {
    let found = search(target: -10, knee: 10) { 2 * (1 - exp(-$0 / 2)) }
    #expect(abs(found.gain - 44) < 1e-9)
  }
}
