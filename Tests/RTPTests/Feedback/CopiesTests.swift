import RTP
import TestSupport
import Testing

/// Networks that duplicate some packets.
@Suite(.timeLimit(.minutes(10))) struct CopiesTests {
  private static let millisecond = 1_000_000

  /// A sender and a receiver, 10 ms apart, on a clock of milliseconds; what is lost and doubled comes from a seed.
  private struct Way: ~Copyable {
    var sender = RTCPSession(RTCPSessionOptions(ssrc: 1, name: "s"), nowNanoseconds: 0, random: 0.5)
    var receiver = RTCPSession(RTCPSessionOptions(ssrc: 2, name: "r"), nowNanoseconds: 0, random: 0.25)
    var kept = RetransmissionCache()
    var state: UInt64
    let loss: Double
    let copies: Double
    let reportLoss: Double
    var arriving: [(at: Int, header: RTPHeader)] = []
    var toSender: [(at: Int, bytes: [UInt8])] = []
    var toReceiver: [(at: Int, bytes: [UInt8])] = []
    var lostCount = 0
    var told: [Double] = []

    init(seed: UInt64, loss: Double, copies: Double, reportLoss: Double = 0) {
      state = seed
      self.loss = loss
      self.copies = copies
      self.reportLoss = reportLoss
    }

    /// SplitMix64.
    mutating func chance() -> Double {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return Double((z ^ (z >> 31)) >> 11) / 9_007_199_254_740_992
    }

    /// Returns: whether it is lost.
    mutating func carry(_ header: RTPHeader, now: Int) -> Bool {
      guard chance() >= loss else { return true }
      arriving.append((now + 10, header))
      if chance() < copies { arriving.append((now + 12, header)) }
      return false
    }

    mutating func pass(milliseconds: Int) throws {
      var memory = [UInt8](repeating: 0, count: 512)
      for now in 0..<milliseconds {
        let time = now * CopiesTests.millisecond
        if now % 20 == 0 {
          let header = RTPHeader(
            marker: false, payloadType: 111, sequenceNumber: UInt16(truncatingIfNeeded: 65_000 + now / 20),
            timestamp: UInt32(now * 48), ssrc: 1)
          let count = try memory.withUnsafeMutableBytes { bytes in
            var writer = try RTPPacketWriter(header, into: bytes)
            return try writer.endHeader() + 80
          }
          memory.withUnsafeBytes {
            _ = kept.insert(
              UnsafeRawBufferPointer(rebasing: $0[..<count]), sequenceNumber: header.sequenceNumber,
              nowNanoseconds: time)
          }
          sender.sent(header, payloadByteCount: 80, nowNanoseconds: time)
          if carry(header, now: now) { lostCount += 1 }
        }
        while let bytes = sender.retransmissions.next(from: kept, nowNanoseconds: time) {
          _ = carry(try RTPHeader(parsing: bytes), now: now)
        }
        for packet in arriving where packet.at == now { _ = receiver.receive(packet.header, nowNanoseconds: time) }
        arriving.removeAll { $0.at <= now }
        try report(now, time, &memory)
        if let loss = sender.takeDelivery(nowNanoseconds: time)?.loss { told.append(loss) }
      }
    }

    private mutating func report(_ now: Int, _ time: Int, _ memory: inout [UInt8]) throws {
      let mine = memory.withUnsafeMutableBytes {
        Array(
          $0[
            ..<sender.write(into: $0, targetDelayNanoseconds: 40_000_000, nowNanoseconds: time, random: 0.5)])
      }
      let other = memory.withUnsafeMutableBytes {
        Array(
          $0[
            ..<receiver.write(into: $0, targetDelayNanoseconds: 40_000_000, nowNanoseconds: time, random: 0.25)])
      }
      if !mine.isEmpty, chance() >= reportLoss { toReceiver.append((now + 10, mine)) }
      if !other.isEmpty, chance() >= reportLoss {
        toSender.append((now + 10, other))
        // At once, or somewhat later.
        if chance() < copies { toSender.append((now + 10 + Int(16 * chance()), other)) }
      }
      for datagram in toReceiver where datagram.at == now {
        try datagram.bytes.withUnsafeBytes { _ = try receiver.receive($0, nowNanoseconds: time) }
      }
      for datagram in toSender where datagram.at == now {
        try datagram.bytes.withUnsafeBytes { _ = try sender.receive($0, nowNanoseconds: time) }
      }
      toReceiver.removeAll { $0.at <= now }
      toSender.removeAll { $0.at <= now }
    }
  }

  @Test(
    "20 % duplicates do not hide 10 % loss from the sender", .shows("simulate: reports"),
    arguments: [1, 2, 3] as [UInt64])
  func told(seed: UInt64) throws {
    for reportLoss in [0, 0.1] {
      var way = Way(seed: seed, loss: 0.1, copies: 0.2, reportLoss: reportLoss)
      try way.pass(milliseconds: 120_000)
      let delivery = way.sender.report.delivery
      #expect(abs(delivery.lostCount - way.lostCount) < 20, "\(delivery), lost \(way.lostCount), seed \(seed)")
      let mean = way.told.reduce(0, +) / Double(way.told.count)
      #expect(abs(mean - Double(way.lostCount) / 6_000) < 0.02, "\(mean), seed \(seed)")
      // Most reports of 50 packets name some loss; with duplicates counted, three of four would name none.
      #expect(way.told.filter { $0 < 0.02 }.count < way.told.count / 8, "\(way.told), seed \(seed)")
    }
  }

  @Test(
    "duplicates of all packets and reports hide no loss from the sender", .shows("simulate: reports"),
    arguments: [1, 2, 3] as [UInt64])
  func reportsTwice(seed: UInt64) throws {
    var way = Way(seed: seed, loss: 0.2, copies: 1)
    try way.pass(milliseconds: 120_000)
    let delivery = way.sender.report.delivery
    #expect(abs(delivery.lostCount - way.lostCount) < 20, "\(delivery), lost \(way.lostCount), seed \(seed)")
    // With duplicates counted, the mean would be near 0.
    let mean = way.told.reduce(0, +) / Double(way.told.count)
    #expect(mean > 0.15 && mean < 0.22, "\(mean), seed \(seed)")
    #expect(way.told.filter { $0 < 0.02 }.count < way.told.count / 20, "\(way.told), seed \(seed)")
  }

  @Test(
    "a duplicate of an answer takes back neither the answer nor the loss", .shows("simulate: reports"),
    arguments: [1, 2, 3] as [UInt64])
  func answers(seed: UInt64) throws {
    var counts: [NackCounters] = []
    for copies in [0, 0.2] {
      var way = Way(seed: seed, loss: 0.1, copies: copies)
      try way.pass(milliseconds: 120_000)
      counts.append(way.receiver.report.missing)
    }
    #expect(Double(counts[1].recovered) > 0.97 * Double(counts[1].missing), "\(counts), seed \(seed)")
    #expect(counts[1].late <= 2, "\(counts), seed \(seed)")
    #expect(Double(counts[0].recovered) > 0.97 * Double(counts[0].missing), "\(counts), seed \(seed)")
  }

  @Test("duplicates of all packets from the first on do not count as loss", .shows("simulate: reports"))
  func everyPacket() throws {
    var way = Way(seed: 1, loss: 0, copies: 1)
    try way.pass(milliseconds: 20_000)
    let report = way.sender.report
    #expect(report.delivery.lostCount == 0 && report.remotePacketsLost == 0 && report.delivery.dueCount > 900)
    // Each number counts once.
    #expect(way.receiver.report.packetsLost == 0, "\(way.receiver.report)")
  }
}
