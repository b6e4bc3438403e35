import TestSupport
import Testing

@testable import MediaStreams

@Suite(.timeLimit(.minutes(10))) struct LossSampleTests {
  private func sample(_ loss: Double, reports: Int) -> LossSample {
    var sample = LossSample()
    for _ in 0..<reports { sample.add(loss) }
    return sample
  }

  /// The deviations of a test of two proportions, of 200 packets each: 1.90, 2.93, 3.07, 3.59.
  @Test(
    "a loss is significantly more from 3 standard deviations on", .shows("simulate: reports"),
    arguments: [(0.10, 0.05, false), (0.135, 0.05, false), (0.14, 0.05, true), (0.30, 0.15, true), (0.15, 0.30, false)])
  func proportions(loss: Double, other: Double, isMore: Bool) {
    #expect(sample(loss, reports: 4).exceeds(sample(other, reports: 4)) == isMore)
  }

  @Test("two reports are too few to compare")
  func few() {
    #expect(!sample(0.5, reports: 2).exceeds(sample(0, reports: 8)))
    #expect(sample(0.5, reports: 3).exceeds(sample(0, reports: 8)))
  }

  @Test("an outage is not counted")
  func outage() {
    var interrupted = sample(0.1, reports: 8)
    for _ in 0..<10 { interrupted.add(1) }
    #expect(interrupted.mean == 0.1)
  }
}
