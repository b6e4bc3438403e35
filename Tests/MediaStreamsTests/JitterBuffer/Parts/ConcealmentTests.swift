import AudioGraph
import Testing

@testable import MediaStreams

@Suite(.timeLimit(.minutes(10))) struct ConcealmentTests {
  @Test(
    "concealed sound is whole for 100 ms, then fades linearly in 100 more", arguments: [120, 480])
  func fades(step: Int) {
    var concealment = Concealment()
    var run = 0
    while run < 12_000 {
      let ramp = concealment.advance(step)
      let gains = [run, run + step].map { max(0, min(1, Float(9_600 - $0) / 4_800)) }
      #expect(abs(ramp.start - gains[0]) < 1e-6, "after \(run) samples")
      // Over `step` samples it goes to the second.
      #expect(abs(ramp.start + ramp.step(over: step) * Float(step) - gains[1]) < 1e-5, "after \(run) samples")
      run += step
      #expect(concealment.isSilent == (run >= 9_600))
    }
    concealment.reset()
    #expect(concealment.gain == 1 && concealment.run == 0)
  }
}
