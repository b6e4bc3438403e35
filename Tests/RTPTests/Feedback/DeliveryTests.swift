import TestSupport
import Testing

@testable import RTP

/// The sender's knowledge of how its packets arrive, by a closed account of sent and lost packets.
@Suite(.timeLimit(.minutes(10))) struct DeliveryTests {
  private static let millisecond = 1_000_000

  /// A sender of a packet every 20 ms whose receiver reports once a second, 20 ms away.
  private struct Way: ~Copyable {
    var sender = RTCPSession(RTCPSessionOptions(ssrc: 1, name: "s"), nowNanoseconds: 0, random: 0.5)
    var statistics = ReceptionStatistics()
    private var numbers = SequenceUnwrapper()
    private var newest: Int?
    var now = 0
    var number: UInt16
    var told: [(at: Int, delivery: DeliveryReport)] = []
    var writes = true

    init(firstNumber: UInt16 = 100) { number = firstNumber }

    /// Lets time pass, in milliseconds.
    mutating func pass(
      _ duration: Int, losing: (Int) -> Bool = { _ in false }, reports: Bool = true, blocks: Bool = true,
      refusing: Bool = false
    ) throws {
      for _ in 0..<(duration / 10) {
        if now % 20 == 0 {
          let header = RTPHeader(
            marker: false, payloadType: 111, sequenceNumber: number, timestamp: UInt32(now * 48), ssrc: 1)
          sender.sent(header, payloadByteCount: 80, nowNanoseconds: now * DeliveryTests.millisecond)
          if refusing {
            sender.refused(nowNanoseconds: now * DeliveryTests.millisecond)
          } else if !losing(now) {
            receive(header)
          }
          number &+= 1
        }
        if now % 1_000 == 500, reports { try report(withBlock: blocks) }
        if let delivery = sender.takeDelivery(nowNanoseconds: now * DeliveryTests.millisecond) {
          told.append((now, delivery))
        }
        now += 10
      }
    }

    /// Source: RFC 3550, appendix A.1: who has missed so much, or half a round of numbers that look like older ones,
    /// counts anew.
    private mutating func receive(_ header: RTPHeader) {
      let number = numbers.unwrap(header.sequenceNumber)
      if let newest, number - newest >= 3_000 || number - newest < -100 { statistics = ReceptionStatistics() }
      newest = number
      statistics.receive(
        sequence: number, timestamp: header.timestamp, arrivalNanoseconds: now * DeliveryTests.millisecond)
    }

    private mutating func report(withBlock: Bool) throws {
      var bytes = [UInt8](repeating: 0, count: 128)
      try bytes.withUnsafeMutableBytes { memory in
        var writer = RTCPWriter(into: memory)
        try writer.appendReceiverReport(ssrc: 2)
        if withBlock, statistics.receivedCount > 0 {
          try writer.append(statistics.makeReportBlock(ssrc: 1, nowNanoseconds: now * DeliveryTests.millisecond))
        }
        let count = writer.byteCount
        _ = try sender.receive(
          UnsafeRawBufferPointer(rebasing: memory[..<count]), nowNanoseconds: now * DeliveryTests.millisecond)
      }
    }

    /// A report of having heard what has not been sent yet.
    mutating func reportAhead(by count: UInt16) throws { try report(number &- 1 &+ count, lost: 0) }

    /// A report that may say anything.
    mutating func report(_ highest: UInt16, lost: Int) throws {
      var bytes = [UInt8](repeating: 0, count: 64)
      try bytes.withUnsafeMutableBytes { memory in
        var writer = RTCPWriter(into: memory)
        try writer.appendReceiverReport(ssrc: 2)
        try writer.append(
          ReportBlock(
            ssrc: 1, fractionLost: 0, cumulativeLost: lost, extendedHighestSequenceNumber: UInt32(highest),
            jitter: 0, lastSenderReport: 0, delaySinceLastSenderReport: 0))
        let count = writer.byteCount
        _ = try sender.receive(
          UnsafeRawBufferPointer(rebasing: memory[..<count]), nowNanoseconds: now * DeliveryTests.millisecond)
      }
    }

    /// What was told from a time on.
    func deliveries(from begin: Int, to end: Int = .max) -> [DeliveryReport] {
      told.filter { $0.at >= begin && $0.at < end }.map(\.delivery)
    }
  }

  @Test("a report of packets that have not been sent is ignored", arguments: [1, 2_900] as [UInt16])
  func ahead(count: UInt16) throws {
    for first in [300, 3_100] {
      var way = Way()
      try way.pass(first)
      try way.reportAhead(by: count)
      try way.pass(6_000)
      let losses = way.deliveries(from: 0).compactMap(\.loss)
      #expect(losses.count >= 4 && losses.allSatisfy { $0 == 0 }, "\(losses)")
    }
  }

  @Test(
    "false reports never make the loss larger than the packets sent", .shows("rtp: destinations"),
    arguments: [0x7F_FFFF, -0x80_0000])
  func lyingLoss(lost: Int) throws {
    var way = Way()
    try way.pass(2_000)
    for lies in [1, 0, 1, 1, 0, 1] {
      try way.report(way.number &- 5, lost: lies * lost)
      try way.pass(1_000)
    }
    #expect(way.told.count >= 6)
    for (at, delivery) in way.told {
      let isPossible = delivery.lostCount >= 0 && delivery.lostCount <= delivery.dueCount
      #expect(isPossible && delivery.dueCount <= at / 20 + 1, "\(delivery)")
    }
  }

  @Test(
    "a report of a number from before the stream is ignored", .shows("rtp: destinations"),
    arguments: [1, 20_000, 0x7F00] as [UInt16])
  func behind(distance: UInt16) throws {
    for first in [100, 40_000] as [UInt16] {
      var way = Way(firstNumber: first)
      try way.pass(600, reports: false)
      try way.report(first &- distance, lost: 0)
      for _ in 0..<6 {
        try way.pass(1_000, reports: false)
        try way.report(way.number &- 2, lost: 0x7F_FFFF)
      }
      try way.pass(100, reports: false)
      #expect(way.told.count >= 6)
      for (at, delivery) in way.told {
        let isPossible = delivery.lostCount >= 0 && delivery.lostCount <= delivery.dueCount
        #expect(isPossible && delivery.dueCount <= at / 20 + 1, "\(delivery)")
      }
    }
  }

  @Test("a packet that reports miss and give back in turn is lost only once")
  func late() throws {
    var way = Way()
    try way.pass(1_000, reports: false)
    for second in 0..<20 {
      try way.report(way.number &- 1, lost: second % 2)
      try way.pass(1_000, reports: false)
    }
    let late = way.told.compactMap(\.delivery.loss)
    #expect(late.count == 20 && late.reduce(0, +) <= 0.021, "\(late)")
    // 5 of 50 are really lost.
    for second in 1...10 {
      try way.report(way.number &- 1, lost: 1 + 5 * second)
      try way.pass(1_000, reports: false)
    }
    let losses = way.told.dropFirst(21).compactMap(\.delivery.loss)
    #expect(losses.count == 9 && losses.allSatisfy { abs($0 - 0.1) < 0.001 }, "\(losses)")
  }

  @Test("an hour of negative losses hides 16 later losses, not more")
  func duplicates() {
    var arrivals = LateArrivals()
    for _ in 0..<3_600 { #expect(arrivals.subtract(from: -3) == 0) }
    #expect((0..<10).map { _ in arrivals.subtract(from: 5) }.reduce(0, +) == 34)
    #expect(arrivals.subtract(from: .min) == 0 && arrivals.subtract(from: 20) == 4)
  }

  @Test("a round trip of hours is rejected")
  func roundTrip() {
    var meter = RoundTripMeter()
    meter.add(20_000_000)
    meter.add(22_035_000_000_000)
    #expect(meter.nanoseconds == 20_000_000)
  }

  @Test("the sender's loss is the loss that reports carry")
  func plain() throws {
    var way = Way()
    try way.pass(10_000) { $0 % 200 == 100 }
    let losses = way.deliveries(from: 2_000).compactMap(\.loss)
    #expect(losses.count == 8 && losses.allSatisfy { abs($0 - 0.1) < 0.025 }, "\(losses)")
  }

  @Test(
    "stalled reports count all sent packets as lost, and only once",
    .shows("D10"),
    arguments: [100, 65_400] as [UInt16])
  func standstill(firstNumber: UInt16) throws {
    var way = Way(firstNumber: firstNumber)
    try way.pass(5_000)
    try way.pass(20_000) { _ in true }
    // A round trip that is not known counts as a second, and half a second is for what is late.
    let early = way.deliveries(from: 5_000, to: 8_000).compactMap(\.loss)
    #expect(early.last == 1, "\(early)")
    let during = way.deliveries(from: 8_000, to: 25_000)
    #expect(during.count == 17 && during.allSatisfy { $0.loss == 1 && !$0.isInterrupted }, "\(during)")
    // What left 1.5 s before the last report is due.
    #expect(abs(way.sender.report.remotePacketsLost - 900) <= 5)
    try way.pass(6_000)
    let after = way.deliveries(from: 26_000).compactMap(\.loss)
    #expect(after.count == 5 && after.allSatisfy { $0 == 0 }, "\(after)")
    #expect(way.sender.report.remotePacketsLost == 1_000)
  }

  @Test(
    "losses stay counted when the receiver restarts its statistics",
    arguments: [70_000, 1_000_000, 1_309_720, 1_310_700, 1_310_720, 1_310_740, 1_311_720, 2_700_000])
  func restart(length: Int) throws {
    var way = Way()
    try way.pass(5_000)
    try way.pass(length) { _ in true }
    try way.pass(5_000)
    // More than 3000 packets, which a receiver by RFC 3550 does not believe; it begins anew with the second packet.
    // Of what was lost since the last report before it nobody can know.
    let lost = length / 20
    #expect((lost - 110...lost).contains(way.sender.report.remotePacketsLost), "\(way.sender.report.remotePacketsLost)")
    let after = way.deliveries(from: way.now - 3_000).compactMap(\.loss)
    #expect(after.count == 3 && after.allSatisfy { $0 == 0 }, "\(after)")
  }

  @Test(
    "a path without reports for three intervals is interrupted",
    .shows("D10"))
  func silence() throws {
    var way = Way()
    try way.pass(5_000)
    try way.pass(10_000, reports: false)
    let told = way.told.filter { $0.at >= 5_000 }
    #expect(told.first.map { $0.at >= 7_500 && $0.at <= 7_600 } == true)
    #expect(told.count >= 7 && told.allSatisfy { $0.delivery.isInterrupted && $0.delivery.loss == nil })
    #expect(way.sender.report.delivery.isInterrupted)
    // All of it had arrived.
    try way.pass(3_000)
    let after = way.deliveries(from: 15_000)
    #expect(after.count == 3 && after.allSatisfy { $0.loss == 0 && !$0.isInterrupted }, "\(after)")
    #expect(way.sender.report.remotePacketsLost == 0)
  }

  @Test(
    "losses in a silence of reports count once, with the next report", .shows("D9"),
    arguments: [1_500, 3_500, 6_000, 20_000])
  func lostInSilence(length: Int) throws {
    for start in stride(from: 0, to: 1_000, by: 130) {
      var way = Way()
      try way.pass(5_000 + start / 10 * 10)
      try way.pass(length, losing: { _ in true }, reports: false)
      #expect(way.sender.report.delivery.lostCount == 0)
      try way.pass(4_000)
      let (delivery, sent) = (way.sender.report.delivery, way.now / 20)
      #expect(delivery.lostCount == length / 20, "\(start)")
      #expect(sent - delivery.dueCount <= 51, "\(start)")
      #expect(way.told.last?.delivery.loss == 0)
      #expect(way.sender.report.remotePacketsLost == length / 20)
    }
  }

  @Test("losses in a silence that ends with a receiver's restart stay unknown")
  func unknownSilence() throws {
    var way = Way()
    try way.pass(5_000)
    try way.pass(70_000, losing: { _ in true }, reports: false)
    try way.pass(10_000)
    let delivery = way.sender.report.delivery
    #expect(delivery.lostCount == 0 && delivery.loss == 0 && delivery.dueCount < 15_000 / 20, "\(delivery)")
  }

  @Test("reports without the sender's stream count its packets as lost")
  func leftOut() throws {
    var way = Way()
    try way.pass(5_000)
    try way.pass(10_000, losing: { _ in true }, blocks: false)
    let told = way.deliveries(from: 7_600)
    #expect(told.count >= 7 && told.allSatisfy { $0.loss == 1 }, "\(told)")
  }

  @Test("reports without blocks from the start count all packets as lost")
  func neverHeard() throws {
    var way = Way()
    try way.pass(40_000, losing: { _ in true }, blocks: false)
    let told = way.deliveries(from: 15_100)
    #expect(told.count >= 4 && told.allSatisfy { $0.loss == 1 }, "\(told)")
    #expect(way.deliveries(from: 0, to: 15_000).allSatisfy { $0.loss == nil })
    // All that left 1.5 s before it was told last is lost, and each packet once: what each second is told of adds up to
    // it.
    let last = try #require(told.last)
    #expect(last.lostCount == last.dueCount && last.dueCount > 30_000 / 20 && last.dueCount <= 40_000 / 20, "\(last)")
    #expect(zip(told, told.dropFirst()).allSatisfy { $0.dueCount < $1.dueCount }, "\(told)")
    try way.pass(5_000)
    #expect(way.told.last?.delivery.loss == 0)
    let total = way.sender.report.delivery
    #expect(total.dueCount <= 45_000 / 20 && total.dueCount > 43_000 / 20, "\(total)")
    // What left in the last moments before somebody heard is not known.
    #expect(total.lostCount <= 40_000 / 20 && total.lostCount > 38_000 / 20, "\(total)")
  }

  @Test("a path is not interrupted without a first report or sent packets")
  func unknown() throws {
    var way = Way()
    try way.pass(40_000, reports: false)
    #expect(way.told.isEmpty && way.sender.report.delivery == DeliveryReport())
    var quiet = Way()
    try quiet.pass(4_510)
    for now in 500..<4_000 {
      #expect(quiet.sender.takeDelivery(nowNanoseconds: now * 10 * Self.millisecond)?.isInterrupted != true)
    }
  }

  @Test("refused packets are lost until a report comes or refusals end", .shows("D10"))
  func refused() throws {
    var way = Way()
    for _ in 0..<30 {
      try way.pass(100, reports: false)
      way.sender.refused(nowNanoseconds: way.now * Self.millisecond)
    }
    #expect(way.deliveries(from: 0).first?.loss == 1)
    try way.pass(3_000, reports: false)
    let silent = try #require(way.told.last?.delivery)
    // Once a tenth of a second a packet came back, so those between did.
    #expect(silent.loss == nil && silent.lostCount == silent.dueCount && silent.dueCount == 150, "\(silent)")
    try way.pass(2_000)
    #expect(way.told.last?.delivery.loss.map { $0 < 1 } == true)
  }

  @Test(
    "packets refused before the receiver starts stay lost", .shows("rtp: destinations"),
    arguments: [20, 1_480, 5_000, 60_000])
  func refusedBefore(length: Int) throws {
    var way = Way()
    try way.pass(length, reports: false, refusing: true)
    let before = way.sender.report.delivery
    #expect(before.dueCount == length / 20 && before.lostCount == length / 20, "\(before)")
    try way.pass(10_000) { $0 % 200 == 100 }
    let delivery = way.sender.report.delivery
    // Reports come every second: the newest may be as old.
    let heard = delivery.dueCount - length / 20
    #expect(heard > 450 && heard <= 500, "\(delivery)")
    #expect(abs(delivery.lostCount - length / 20 - heard / 10) <= 1, "\(delivery)")
  }

  @Test("packets refused before a receiver's restart stay lost", .shows("rtp: destinations"))
  func refusedBetween() throws {
    var way = Way()
    try way.pass(5_000)
    try way.pass(6_000, reports: false, refusing: true)
    way.statistics = ReceptionStatistics()
    try way.pass(5_000) { $0 % 200 == 100 }
    let delivery = way.sender.report.delivery
    // 300 came back. What was sent since the first receiver's last report nobody has told of.
    #expect((300 + 20...300 + 50).contains(delivery.lostCount), "\(delivery)")
    #expect(delivery.dueCount <= 16_000 / 20 && delivery.dueCount > 15_000 / 20, "\(delivery)")
    #expect(way.told.last?.delivery.loss.map { $0 < 0.2 } == true)
  }

  @Test("packets are lost up to the last one that was refused", .shows("rtp: destinations"))
  func refusedToTheEnd() throws {
    var way = Way()
    try way.pass(5_000)
    try way.pass(3_000, reports: false, refusing: true)
    let delivery = way.sender.report.delivery
    #expect(delivery.loss == 1 && delivery.dueCount == 400 && delivery.lostCount >= 150, "\(delivery)")
  }

  @Test("after a single late refusal, reports judge each earlier packet once")
  func refusedLate() throws {
    var way = Way()
    try way.pass(3_000, reports: false)
    way.sender.refused(nowNanoseconds: way.now * Self.millisecond)
    for reported in [150, 200, 248, 249] as [UInt16] {
      try way.report(reported, lost: 0)
      way.now += 10
      way.told += way.sender.takeDelivery(nowNanoseconds: way.now * Self.millisecond).map { [(way.now, $0)] } ?? []
    }
    let (due, lost) = (way.told.map(\.delivery.dueCount), way.told.map(\.delivery.lostCount))
    #expect(due == due.sorted() && due.allSatisfy { (1...150).contains($0) }, "\(due)")
    // The packet that came back has come, by the last report.
    #expect(lost.first == 1 && lost.last == 0, "\(lost)")
  }

  @Test(
    "a delay of seconds does not make packets in flight count as lost", .shows("simulate: reports"),
    arguments: [10, 500, 1_000, 2_000, 4_000])
  func farAway(delay: Int) throws {
    var sender = RTCPSession(RTCPSessionOptions(ssrc: 1, name: "s"), nowNanoseconds: 0, random: 0.5)
    var statistics = ReceptionStatistics()
    var onTheWay: [(at: Int, header: RTPHeader)] = []
    var reports: [(at: Int, bytes: [UInt8])] = []
    var told: [DeliveryReport] = []
    for now in stride(from: 0, to: 30_000, by: 20) {
      let header = RTPHeader(
        marker: false, payloadType: 111, sequenceNumber: UInt16(now / 20), timestamp: UInt32(now * 48), ssrc: 1)
      sender.sent(header, payloadByteCount: 80, nowNanoseconds: now * Self.millisecond)
      onTheWay.append((now + delay, header))
      while let first = onTheWay.first, first.at <= now {
        onTheWay.removeFirst()
        statistics.receive(
          sequence: Int(first.header.sequenceNumber), timestamp: first.header.timestamp,
          arrivalNanoseconds: now * Self.millisecond)
      }
      if now % 1_000 == 500, statistics.receivedCount > 0 {
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = try bytes.withUnsafeMutableBytes { memory in
          var writer = RTCPWriter(into: memory)
          try writer.appendReceiverReport(ssrc: 2)
          try writer.append(statistics.makeReportBlock(ssrc: 1, nowNanoseconds: now * Self.millisecond))
          return writer.byteCount
        }
        reports.append((now + delay, Array(bytes[..<count])))
      }
      while let first = reports.first, first.at <= now {
        reports.removeFirst()
        try first.bytes.withUnsafeBytes { _ = try sender.receive($0, nowNanoseconds: now * Self.millisecond) }
      }
      if let delivery = sender.takeDelivery(nowNanoseconds: now * Self.millisecond) { told.append(delivery) }
    }
    #expect(told.count > 15 && told.allSatisfy { $0.loss == 0 && $0.lostCount == 0 }, "\(told)")
  }
}
