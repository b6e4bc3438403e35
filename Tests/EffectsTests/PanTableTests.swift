import Glibc
import Testing

@testable import Effects

@Suite(.timeLimit(.minutes(10))) struct PanTableTests {
  @Test("cosine and sine agree with the C library to 1e-12, exact at both ends")
  func agrees() {
    for step in 0...10_000 {
      let x = Double(step) / 10_000
      let wave = PanTable(x)
      #expect(abs(wave.cosine - cos(x * .pi / 2)) < 1e-12)
      #expect(abs(wave.sine - sin(x * .pi / 2)) < 1e-12)
    }
    #expect(PanTable(0).cosine == 1 && PanTable(0).sine == 0)
    #expect(PanTable(1).cosine == 0 && PanTable(1).sine == 1)
  }
}
