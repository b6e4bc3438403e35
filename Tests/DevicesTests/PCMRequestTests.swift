import Devices
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PCMRequestTests {
  @Test("a request asks for three periods of 10 ms unless told otherwise")
  func defaults() {
    let request = PCMRequest(sampleRate: 48_000, channelCount: 1)
    #expect(request.periodMilliseconds * request.periodsPerBuffer == 30)
  }
}
