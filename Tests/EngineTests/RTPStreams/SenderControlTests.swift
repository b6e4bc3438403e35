import Engine
import Testing

@Suite struct SenderControlTests {
  private func control(bitrate: Int = 64_000) -> SenderControl {
    SenderControl(OpusOptions(bitrate: bitrate, packetDuration: .milliseconds10))
  }

  @Test("lasting loss of 1 % and more turns FEC on, with packets of 20 ms; none for a while turns it off again")
  func forwardErrorCorrection() {
    var control = control()
    for _ in 0..<20 { _ = control.receive(fractionLost: 8) }
    #expect(control.options.forwardErrorCorrection)
    #expect(control.options.packetDuration == .milliseconds20)
    #expect(control.options.expectedLossPercent == 5)
    for _ in 0..<20 { _ = control.receive(fractionLost: 0) }
    #expect(!control.options.forwardErrorCorrection)
    #expect(control.options.packetDuration == .milliseconds10)
  }

  @Test("a single report without loss among losses does not turn FEC off")
  func hysteresis() {
    var control = control()
    for _ in 0..<10 { _ = control.receive(fractionLost: 13) }
    _ = control.receive(fractionLost: 0)
    #expect(control.options.forwardErrorCorrection)
  }

  @Test("above 10 % loss the bitrate falls by half the loss a report, and comes back by 5 % a report")
  func bitrate() {
    var control = control()
    _ = control.receive(fractionLost: 64)
    #expect(control.options.bitrate == 56_000)
    _ = control.receive(fractionLost: 64)
    #expect(control.options.bitrate == 49_000)
    _ = control.receive(fractionLost: 13)
    #expect(control.options.bitrate == 49_000)
    _ = control.receive(fractionLost: 0)
    #expect(control.options.bitrate == 51_450)
    for _ in 0..<20 { _ = control.receive(fractionLost: 0) }
    #expect(control.options.bitrate == 64_000)
  }

  @Test("the bitrate never leaves what Opus and FEC can work with")
  func bounds() {
    var control = control()
    for _ in 0..<50 { _ = control.receive(fractionLost: 255) }
    #expect(control.options.bitrate == 24_000)
    #expect(control.options.expectedLossPercent == 30)
    #expect(throws: Never.self) { try control.options.validate() }
    var low = self.control(bitrate: 16_000)
    for _ in 0..<50 { _ = low.receive(fractionLost: 255) }
    #expect(low.options.bitrate == 12_000)
  }

  @Test("it says whether anything has changed")
  func change() {
    var control = control()
    let first = control.receive(fractionLost: 0)
    let second = control.receive(fractionLost: 128)
    #expect(!first && second)
  }
}
