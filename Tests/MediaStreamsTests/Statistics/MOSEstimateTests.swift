import MediaStreams
import Testing

@Suite(.timeLimit(.minutes(10))) struct MOSEstimateTests {
  @Test("without loss and delay the score is G.107's default, 4.41")
  func best() { #expect(abs(MOSEstimate.score(concealed: 0, delayMilliseconds: 0) - 4.41) < 0.01) }

  @Test(
    "without delay the score meets wideband PESQ of Opus under random loss",
    arguments: [(0.05, 2.86), (0.1, 2.10), (0.2, 1.49)])
  func loss(concealed: Double, pesq: Double) {
    #expect(abs(MOSEstimate.score(concealed: concealed, delayMilliseconds: 0) - pesq) < 0.15)
  }

  @Test("delay costs little up to 177 ms and much beyond")
  func delay() {
    func score(_ milliseconds: Double) -> Double {
      MOSEstimate.score(concealed: 0, delayMilliseconds: milliseconds)
    }
    #expect(score(0) - score(150) < 0.15)
    #expect(score(150) - score(400) > 0.9)
    #expect(score(100_000) == 1)
    #expect(MOSEstimate.score(concealed: 1, delayMilliseconds: 0) < 1.2)
  }
}
