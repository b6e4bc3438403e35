import Engine
import MediaStreams
import OpusCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct SenderControlTests {
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

  @Test("above 10 % loss no more is sent than has got through, headers included; it comes back by 5 % a report")
  func bitrate() {
    var control = control()
    _ = control.receive(fractionLost: 64)
    #expect(control.options.bitrate == 64_000 && control.options.packetDuration == .milliseconds20)
    _ = control.receive(fractionLost: 64)
    // Three quarters of 80 kbit/s, of which 16 are headers.
    #expect(control.options.bitrate == 44_000)
    _ = control.receive(fractionLost: 0)
    #expect(control.options.bitrate == 46_200)
    _ = control.receive(fractionLost: 0)
    #expect(control.options.bitrate == 48_510)
    for _ in 0..<20 { _ = control.receive(fractionLost: 0) }
    #expect(control.options.bitrate == 64_000)
  }

  @Test("the bitrate never leaves what Opus and FEC can work with")
  func bounds() {
    var control = control()
    for _ in 0..<50 { _ = control.receive(fractionLost: 255) }
    #expect(control.options.bitrate == 24_000)
    #expect(control.options.expectedLossPercent == 10)
    #expect(throws: Never.self) { try control.options.validate() }
    var low = self.control(bitrate: 16_000)
    for _ in 0..<50 { _ = low.receive(fractionLost: 255) }
    #expect(low.options.bitrate == 12_000)
  }

  /// A way that takes so many bits a second with 40 bytes of headers a packet: what is above that is lost. Returns: the
  /// shares lost.
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
    "a way that is too narrow for FEC gets less to carry, and loses nearly nothing then", arguments: [30.5, 33, 36])
  func narrow(kilobits: Double) {
    var control = control(bitrate: 32_000)
    _ = pass(&control, capacity: 1_000 * kilobits, reports: 30)
    let losses = pass(&control, capacity: 1_000 * kilobits, reports: 300)
    #expect(losses.reduce(0, +) / 300 < 0.01 && losses.max()! < 0.06, "\(losses)")
    #expect(!control.options.forwardErrorCorrection && control.options.packetDuration == .milliseconds20)
    // Once there is room again it is used.
    _ = pass(&control, capacity: 200_000, reports: 450)
    #expect(control.options.bitrate == 32_000)
  }

  @Test("on a narrow way the few bits are made the most of; where they suffice the effort is what was asked for")
  func effort() {
    var control = SenderControl(OpusOptions(bitrate: 32_000, complexity: 3, packetDuration: .milliseconds10))
    for _ in 0..<6 { _ = control.receive(fractionLost: 60) }
    #expect(control.options.bitrate == 24_000 && control.options.complexity == 3)
    _ = pass(&control, capacity: 33_000, reports: 300)
    #expect(control.options.bitrate < 24_000 && control.options.complexity == 10)
    _ = pass(&control, capacity: 200_000, reports: 450)
    #expect(control.options.bitrate == 32_000 && control.options.complexity == 3)
    // Who asks for little gets the effort that goes with it.
    var low = SenderControl(OpusOptions(bitrate: 16_000, complexity: 3))
    for _ in 0..<20 { _ = low.receive(fractionLost: 0) }
    #expect(low.options.complexity == 3)
  }

  @Test(
    "loss by chance is met with FEC, and costs no bits but for seconds in which that is asked",
    arguments: [0.05, 0.1, 0.15, 0.2, 0.3])
  func chance(probability: Double) {
    var reportCount = 0
    var spared = 0
    for seed in UInt64(1)...20 {
      var random = SeededGenerator(seed: seed)
      var control = control(bitrate: 32_000)
      for report in 0..<300 {
        // Of 50 packets a report.
        let lost = (0..<50).filter { _ in
          Double.random(in: 0..<1, using: &random) < probability
        }.count
        _ = control.receive(fractionLost: UInt8(256 * lost / 50))
        guard report >= 20 else { continue }
        #expect(control.options.packetDuration == .milliseconds20)
        reportCount += 1
        if control.options.bitrate < 32_000 || !control.options.forwardErrorCorrection { spared += 1 }
      }
    }
    #expect(Double(spared) < 0.1 * Double(reportCount), "\(spared) of \(reportCount) reports")
  }

  @Test("loss by chance that falls during a try is met with FEC again soon", arguments: [6, 13, 20] as [UInt8])
  func falling(fractionLost: UInt8) {
    for begin in 0..<12 {
      var control = control(bitrate: 32_000)
      for report in 0..<60 { _ = control.receive(fractionLost: report < 8 + begin ? 64 : fractionLost) }
      #expect(control.options.forwardErrorCorrection && control.options.bitrate >= 24_000, "\(begin)")
    }
  }

  @Test("a way too narrow for the least keeps FEC, with no tries at all", arguments: [20, 25, 27] as [Double])
  func tooNarrow(kilobits: Double) {
    var control = control(bitrate: 32_000)
    for report in 0..<300 {
      _ = pass(&control, capacity: 1_000 * kilobits, reports: 1)
      #expect(control.options.forwardErrorCorrection && control.options.bitrate >= 24_000, "report \(report)")
    }
  }

  @Test(
    "a way with no room for the headers of packets of 10 ms is asked for them a few times only",
    arguments: [50, 55, 60])
  func headers(kilobits: Double) {
    var control = control(bitrate: 32_000)
    var durations: [OpusOptions.PacketDuration] = []
    for _ in 0..<180 {
      _ = pass(&control, capacity: 1_000 * kilobits, reports: 1)
      durations.append(control.options.packetDuration)
    }
    #expect(zip(durations, durations.dropFirst()).filter { $0 != $1 }.count <= 5)
    // And has them again once there is room.
    _ = pass(&control, capacity: 100_000, reports: 240)
    #expect(control.options.packetDuration == .milliseconds10)
  }

  @Test("loss that comes long after packets of 10 ms did is no reason to do without them when it has gone")
  func later() {
    var control = control(bitrate: 32_000)
    for _ in 0..<5 {
      for _ in 0..<20 { _ = control.receive(fractionLost: 8) }
      #expect(control.options.packetDuration == .milliseconds20)
      for _ in 0..<40 { _ = control.receive(fractionLost: 0) }
      #expect(control.options.packetDuration == .milliseconds10)
    }
  }

  @Test("what a narrow way could not take it is asked for less and less often")
  func steps() {
    var control = control(bitrate: 32_000)
    let losses = pass(&control, capacity: 33_000, reports: 600)
    let lossy = losses.indices.filter { losses[$0] >= 0.005 && $0 > 60 }
    let begins = lossy.filter { losses[$0 - 1] < 0.005 }
    // Each is over after ten reports, and what waits is 120 and 240 of them.
    #expect(begins.count <= 4 && lossy.count <= 11 * begins.count, "\(lossy)")
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
