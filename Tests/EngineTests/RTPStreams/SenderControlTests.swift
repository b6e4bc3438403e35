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

  /// A way that takes so many bits a second with 40 bytes of headers a packet: what is above that is lost. Returns: the shares lost.
  private func pass(_ control: inout SenderControl, capacity: Double, reports: Int) -> [Double] {
    (0..<reports).map { _ in
      let options = control.options
      let sent = Double(options.bitrate) + 320_000 / Double(options.packetDuration.rawValue)
      let loss = max(0, 1 - capacity / sent)
      _ = control.receive(fractionLost: UInt8(256 * loss))
      return loss
    }
  }

  @Test(
    "a way that is too narrow for FEC gets less to carry, and loses nearly nothing then", arguments: [28.5, 30, 33])
  func narrow(kilobits: Double) {
    var control = control(bitrate: 32_000)
    _ = pass(&control, capacity: 1_000 * kilobits, reports: 30)
    let losses = pass(&control, capacity: 1_000 * kilobits, reports: 300)
    #expect(losses.reduce(0, +) / 300 < 0.01 && losses.max()! < 0.06, "\(losses)")
    #expect(!control.options.forwardErrorCorrection && control.options.packetDuration == .milliseconds20)
    // Once there is room again it is used.
    _ = pass(&control, capacity: 200_000, reports: 300)
    #expect(control.options.bitrate == 32_000)
  }

  @Test("loss by chance is met with FEC, but for tries that become seldom", arguments: [30, 60] as [UInt8])
  func chance(fractionLost: UInt8) {
    var control = control(bitrate: 32_000)
    var tries: [Int] = []
    for report in 0..<600 {
      _ = control.receive(fractionLost: fractionLost)
      if report > 5, !control.options.forwardErrorCorrection { tries.append(report) }
    }
    #expect(tries.count <= 3 * 4 && tries.filter { $0 > 60 }.count <= 3 * 2, "\(tries)")
    #expect(control.options.forwardErrorCorrection && control.options.bitrate == 24_000)
  }

  @Test("loss by chance that falls during a try is met with FEC again soon", arguments: [6, 13, 20] as [UInt8])
  func falling(fractionLost: UInt8) {
    for begin in 0..<12 {
      var control = control(bitrate: 32_000)
      for report in 0..<60 { _ = control.receive(fractionLost: report < 8 + begin ? 64 : fractionLost) }
      #expect(control.options.forwardErrorCorrection && control.options.bitrate >= 24_000, "\(begin)")
    }
  }

  @Test("a way too narrow for anything keeps FEC, but for tries that become seldom", arguments: [25, 27] as [Double])
  func tooNarrow(kilobits: Double) {
    var control = control(bitrate: 32_000)
    _ = pass(&control, capacity: 1_000 * kilobits, reports: 60)
    var without = 0
    for _ in 0..<300 {
      _ = pass(&control, capacity: 1_000 * kilobits, reports: 1)
      if !control.options.forwardErrorCorrection { without += 1 }
    }
    #expect(without < 30, "\(without) of 300 reports")
  }

  @Test("outages are no narrow way, however often they come")
  func outages() {
    var control = control(bitrate: 32_000)
    for _ in 0..<10 {
      for _ in 0..<12 { _ = control.receive(fractionLost: 255) }
      for _ in 0..<30 {
        _ = control.receive(fractionLost: 0)
        #expect(control.options.bitrate >= 24_000)
      }
    }
  }

  @Test("it says whether anything has changed")
  func change() {
    var control = control()
    let first = control.receive(fractionLost: 0)
    let second = control.receive(fractionLost: 128)
    #expect(!first && second)
  }
}
