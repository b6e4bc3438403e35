import MediaStreams
import OpusCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct SenderRateControllerTests {
  private func control(bitrate: Int = 64_000) -> SenderRateController {
    SenderRateController(OpusOptions(bitrate: bitrate, packetDuration: .milliseconds10))
  }

  @Test("FEC starts at 1 % loss and ends without, packets of 20 ms stay", .shows("rtp"))
  func forwardErrorCorrection() {
    var control = control()
    for _ in 0..<20 { _ = control.receive(fractionLost: 8) }
    #expect(control.options.forwardErrorCorrection)
    #expect(control.options.packetDuration == .milliseconds20)
    #expect(control.options.expectedLossPercent == 5)
    for _ in 0..<20 { _ = control.receive(fractionLost: 0) }
    #expect(!control.options.forwardErrorCorrection)
    #expect(control.options.packetDuration == .milliseconds20)
  }

  @Test("one report without loss among losses leaves FEC on")
  func hysteresis() {
    var control = control()
    for _ in 0..<10 { _ = control.receive(fractionLost: 13) }
    _ = control.receive(fractionLost: 0)
    #expect(control.options.forwardErrorCorrection)
  }

  @Test("the bit rate does not fall below 24 kbit/s or the requested rate")
  func bounds() {
    var control = control()
    for _ in 0..<50 { _ = control.receive(fractionLost: 255) }
    #expect(control.options.bitrate == 24_000)
    #expect(control.options.expectedLossPercent == 10)
    #expect(throws: Never.self) { try control.options.validate() }
    var low = self.control(bitrate: 16_000)
    for _ in 0..<50 { _ = low.receive(fractionLost: 255) }
    #expect(low.options.bitrate == 16_000)
  }

  /// A path of so many bits a second, and packets with headers of 40 bytes.
  private struct Path {
    let capacity: Double
    let queueSeconds: Double
    /// In bits.
    private var queue = 0.0

    init(kilobits: Double, queueMilliseconds: Double = 200) {
      capacity = 1_000 * kilobits
      queueSeconds = queueMilliseconds / 1_000
    }

    /// Lets a second pass. Returns: the share lost.
    mutating func pass(_ control: inout SenderRateController) -> Double {
      let options = control.options
      let sent = Double(options.bitrate) + 320_000 / Double(options.packetDuration.rawValue)
      let room = capacity * queueSeconds
      let lost = max(0, queue + sent - capacity - room)
      queue = min(room, max(0, queue + sent - capacity))
      _ = control.receive(fractionLost: UInt8(256 * lost / sent))
      return lost / sent
    }
  }

  @Test(
    "a full path gets 24 kbit/s in 20 ms packets, more only in trials", .shows("simulate: reports"),
    arguments: [20, 27, 35, 40, 45] as [Double], [50, 200] as [Double])
  func narrow(kilobits: Double, queueMilliseconds: Double) {
    var control = control(bitrate: 32_000)
    var path = Path(kilobits: kilobits, queueMilliseconds: queueMilliseconds)
    var reportsAbove = 0
    for report in 0..<900 {
      _ = path.pass(&control)
      guard report >= 20 else { continue }
      #expect(control.options.packetDuration == .milliseconds20)
      if control.options.bitrate > 24_000 { reportsAbove += 1 }
    }
    // Two trials, each decided within 15 reports.
    #expect(reportsAbove <= 30, "\(reportsAbove)")
    #expect(kilobits < 30 || reportsAbove > 0)
  }

  @Test(
    "the requested bit rate returns once a full path is wide", .shows("simulate: reports"),
    arguments: [27, 45] as [Double])
  func widening(kilobits: Double) {
    var control = control(bitrate: 32_000)
    var narrow = Path(kilobits: kilobits)
    for _ in 0..<60 { _ = narrow.pass(&control) }
    var wide = Path(kilobits: 200)
    for _ in 0..<320 { _ = wide.pass(&control) }
    #expect(control.options.bitrate == 32_000 && control.options.packetDuration == .milliseconds20)
    #expect(!control.options.forwardErrorCorrection)
  }

  @Test(
    "a path too narrow for packets of 10 ms gets those of 20 ms for good", .shows("simulate: reports"),
    arguments: [50, 55, 60] as [Double])
  func headers(kilobits: Double) {
    var control = control(bitrate: 32_000)
    var path = Path(kilobits: kilobits)
    var losses = 0.0
    for report in 0..<900 {
      let lost = path.pass(&control)
      if report >= 20 { losses += lost }
    }
    #expect(control.options.packetDuration == .milliseconds20 && control.options.bitrate == 32_000)
    #expect(losses == 0)
  }

  @Test(
    "random loss is met with FEC, mostly at the requested bit rate", .shows("simulate: reports"),
    arguments: [0.05, 0.1, 0.15, 0.2, 0.3])
  func chance(probability: Double) {
    let seeds = 100
    var reportsAtLowest = 0
    for seed in 1...UInt64(seeds) {
      var random = SeededGenerator(seed: seed)
      var control = control(bitrate: 32_000)
      for report in 0..<300 {
        // Of 50 packets a report.
        let lost = (0..<50).filter { _ in Double.random(in: 0..<1, using: &random) < probability }.count
        _ = control.receive(fractionLost: UInt8(256 * lost / 50))
        if control.options.bitrate == 24_000 { reportsAtLowest += 1 }
        guard report >= 20 else { continue }
        #expect(control.options.forwardErrorCorrection && control.options.packetDuration == .milliseconds20)
      }
    }
    // A comparison takes 10 of 300, and one in twenty may be misled; with more than 28 % it waits for less.
    #expect(reportsAtLowest < seeds * (probability < 0.28 ? 25 : 40), "\(reportsAtLowest)")
  }

  @Test("a burst of loss lowers the bit rate for the comparison alone", .shows("simulate: reports"))
  func burst() {
    var control = control(bitrate: 32_000)
    for _ in 0..<10 { _ = control.receive(fractionLost: 0) }
    for _ in 0..<4 { _ = control.receive(fractionLost: 77) }
    #expect(control.options.bitrate == 24_000)
    for _ in 0..<10 { _ = control.receive(fractionLost: 0) }
    #expect(control.options.bitrate == 32_000)
    for _ in 0..<600 {
      _ = control.receive(fractionLost: 0)
      #expect(control.options.bitrate == 32_000)
    }
  }

  @Test("repeated outages leave the bit rate at 24 kbit/s or more")
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

  @Test("a report says whether the options have changed")
  func change() {
    var control = control()
    let first = control.receive(fractionLost: 0)
    let second = control.receive(fractionLost: 128)
    #expect(!first && second)
  }
}
