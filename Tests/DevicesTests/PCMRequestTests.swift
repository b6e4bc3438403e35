import Devices
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PCMRequestTests {
  @Test("a request has three periods of 10 ms unless set otherwise")
  func defaults() {
    let request = PCMRequest(sampleRate: 48_000, channelCount: 1)
    #expect(request.periodMilliseconds * request.periodsPerBuffer == 30)
  }
}
