import MediaStreams
import StreamTestSupport
import TestSupport
import Testing

/// A way that becomes longer or short again: at once, as behind a sender that stood still and goes on at its pace, in
/// steps, or slowly, as a queue that fills.
// With AUDIOPIPE_LONG=1 it takes hours.
@Suite(.timeLimit(.minutes(LongRun.minutes))) struct JitterBufferDetourTests {
  struct Case: CustomStringConvertible, Sendable {
    let milliseconds: Int
    let packetMilliseconds: Int
    let jitter: Double
    var description: String { "\(milliseconds) ms longer, ±\(jitter / 2) ms, \(packetMilliseconds) ms packets" }

    static let all = [
      Case(milliseconds: 300, packetMilliseconds: 20, jitter: 0),
      Case(milliseconds: 700, packetMilliseconds: 60, jitter: 40),
      Case(milliseconds: 1_000, packetMilliseconds: 20, jitter: 30),
      Case(milliseconds: 5_000, packetMilliseconds: 20, jitter: 30),
      Case(milliseconds: 5_000, packetMilliseconds: 10, jitter: 0),
      Case(milliseconds: 14_000, packetMilliseconds: 20, jitter: 60),
    ]
  }

  /// Packets of 60 s, of which those that would come after 20 s come later.
  private func packets(_ setting: Case, seed: UInt64) throws -> [TimedPacket] {
    let stream = try PacketStream.null(seconds: 60, packetMilliseconds: setting.packetMilliseconds, seed: seed) {
      setting.jitter > 0 ? Double.random(in: 20..<(20 + setting.jitter), using: &$0) : 20
    }
    return stream.packets.map { packet in
      var packet = packet
      if packet.arrival >= 20_000_000_000 { packet.arrival += setting.milliseconds * 1_000_000 }
      return packet
    }.sorted { $0.arrival < $1.arrival }
  }

  @Test(
    "each tick decodes a bounded part of a backlog, gone after 500 ms",
    .shows("receive: spikes"))
  func boundedTicks() throws {
    var packets = try PacketStream.null(seconds: 20, packetMilliseconds: 10, seed: 3) { _ in 20 }.packets
    // A standstill of 4 s, of which all comes at once.
    for index in packets.indices where (6_000_000_000..<10_000_000_000).contains(packets[index].arrival) {
      packets[index].arrival = 10_000_000_000
    }
    let bench = try ReceiverBench(
      JitterBufferOptions(codec: .null), packets: packets, frameCount: 1_900, keepsSamples: false)
    let decoded = bench.statistics.map(\.decodedSamples)
    let most = zip(decoded, decoded.dropFirst()).map { $1 - $0 }.max()!
    // 16 packets to leave out, and what a frame and a search for a splice want.
    #expect(most > 10 * 480 && most <= 24 * 480, "\(most / 480) packets")
    #expect(bench.delay(1_050..<1_100) < 40)
    #expect(bench.statistics.last!.packetsReceived > 1_890)
  }

  @Test(
    "after a path becomes longer, packets wait no longer than before", .shows("receive: spikes"), arguments: Case.all)
  func longer(setting: Case) throws {
    for seed in LongRun.isWanted ? 1...20 : UInt64(3)...3 {
      let bench = try ReceiverBench(
        JitterBufferOptions(codec: .null), packets: packets(setting, seed: seed), frameCount: 6_000, keepsSamples: false
      )
      let before = bench.delay(1_000..<1_900)
      let resumed = 2_000 + setting.milliseconds / 10
      let (first, last) = (bench.statistics[resumed + 100], bench.statistics[5_999])
      let left = last.removedSamplesForAcceleration - first.removedSamplesForAcceleration
      // What is less than a frame may be trimmed at any time.
      #expect(left <= 2_400, "seed \(seed)")
      #expect(last.supersededSamples - first.supersededSamples <= 2_400, "seed \(seed)")
      #expect(bench.concealed((resumed + 100)..<6_000) <= 0.005, "seed \(seed)")
      #expect(bench.delay((resumed + 200)..<6_000) <= before + 20, "seed \(seed): \(before)")
      // In its first second no more is made up than where a stream begins over such a way.
      let limit = setting.jitter > 40 ? 0.21 : 0.1
      #expect(bench.concealed(resumed..<(resumed + 100)) <= limit, "seed \(seed)")
      // Jitter has them change places, and what overtakes is heard first.
      let overtaken = Int(setting.jitter) / setting.packetMilliseconds + 1
      #expect(last.packetsDiscarded <= overtaken && last.packetsLost <= overtaken, "seed \(seed)")
      #expect(bench.imbalances.isEmpty)
    }
  }

  @Test(
    "a path that is short again has its old delay back after 2 s",
    .shows("receive: spikes"), arguments: 1...5)
  func shortAgain(seed: UInt64) throws {
    let stream = try PacketStream.null(seconds: 60, seed: seed) { Double.random(in: 20..<50, using: &$0) }
    let end = 40_000_000_000
    let packets = stream.packets.map { packet in
      var packet = packet
      if (20_000_000_000..<end).contains(packet.arrival) { packet.arrival = min(end, packet.arrival + 1_000_000_000) }
      return packet
    }.sorted { $0.arrival < $1.arrival }
    let bench = try ReceiverBench(
      JitterBufferOptions(codec: .null), packets: packets, frameCount: 6_000, keepsSamples: false)
    #expect(bench.delay(4_200..<6_000) <= bench.delay(1_000..<1_900) + 15)
    #expect(bench.concealed(3_900..<6_000) <= 0.005)
    // One may have been overtaken when the way became longer.
    #expect(bench.statistics[5_999].packetsDiscarded <= 2)
    #expect(bench.imbalances.isEmpty)
  }

  @Test(
    "a path that becomes short at once loses no packet in flight",
    .shows("receive: spikes"),
    arguments: [(1_000, 10, 0), (1_500, 10, 30), (2_500, 10, 0), (1_500, 20, 0), (2_500, 20, 60)])
  func short(milliseconds: Int, packetMilliseconds: Int, jitter: Double) throws {
    for seed in LongRun.isWanted ? 1...20 : UInt64(3)...3 {
      let stream = try PacketStream.null(seconds: 60, packetMilliseconds: packetMilliseconds, seed: seed) {
        jitter > 0 ? Double.random(in: 20..<(20 + jitter), using: &$0) : 20
      }
      let packets = stream.packets.enumerated().map { index, packet in
        var packet = packet
        if index * packetMilliseconds < 20_000 { packet.arrival += milliseconds * 1_000_000 }
        return packet
      }.sorted { $0.arrival < $1.arrival }
      let bench = try ReceiverBench(
        JitterBufferOptions(codec: .null), packets: packets, frameCount: 6_000, keepsSamples: false)
      #expect(bench.concealed(1_000..<6_000) <= (jitter > 0 ? 0.002 : 0), "seed \(seed)")
      // Jitter has them change places, and while half have come before their time those that overtake are heard first.
      let last = bench.statistics[5_999]
      #expect(last.packetsDiscarded <= Int(jitter) / packetMilliseconds && last.packetsLost == 0, "\(last)")
      #expect(bench.delay(3_500..<6_000) <= 20 + jitter + 25, "seed \(seed): \(bench.delay(3_500..<6_000))")
      #expect(bench.imbalances.isEmpty)
    }
  }

  @Test(
    "with a jitter of two seconds nearly all packets are heard",
    .shows("receive: spikes"), arguments: [10, 20])
  func anywhere(packetMilliseconds: Int) throws {
    let stream = try PacketStream.null(seconds: 60, packetMilliseconds: packetMilliseconds, seed: 5) {
      Double.random(in: 20..<2_020, using: &$0)
    }
    let packets = stream.packets.sorted { $0.arrival < $1.arrival }
    let bench = try ReceiverBench(
      JitterBufferOptions(codec: .null), packets: packets, frameCount: 6_500, keepsSamples: false)
    #expect(bench.concealed(3_000..<6_000) <= 0.01)
    #expect(bench.imbalances.isEmpty)
  }

  struct Growth: CustomStringConvertible, Sendable {
    let description: String
    let jitter: Double
    /// By how many milliseconds the way is longer, so many seconds after the beginning.
    let longer: @Sendable (Double) -> Double
    let total: Double
    /// What may be made up of it: where it is slow, each packet is late by a little more than the one before.
    let price: Double

    static func ramp(_ rate: Double, to total: Double, jitter: Double) -> Growth {
      Growth(
        description: "\(rate) ms more a second up to \(total), ±\(jitter / 2) ms", jitter: jitter,
        longer: { max(0, min(total, ($0 - 10) * rate)) }, total: total, price: 3)
    }

    static func steps(_ size: Double, count: Int, jitter: Double) -> Growth {
      Growth(
        description: "\(count) steps of \(size) ms, ±\(jitter / 2) ms", jitter: jitter,
        longer: { max(0, min(Double(count), (($0 - 7) / 3).rounded(.down))) * size }, total: size * Double(count),
        // What overtakes others behind a step says too early how long the way is, the more so the more it may.
        price: jitter < 100 ? 1.3 : 1.4)
    }

    static let all = [
      steps(150, count: 1, jitter: 0), steps(150, count: 7, jitter: 0), steps(190, count: 7, jitter: 30),
      steps(100, count: 10, jitter: 60), steps(1_000, count: 3, jitter: 200),
      ramp(20, to: 900, jitter: 30), ramp(50, to: 850, jitter: 0), ramp(50, to: 2_000, jitter: 60),
      ramp(500, to: 5_000, jitter: 30),
    ]
  }

  @Test(
    "concealment on a growing path is at most 1.4 to 3 times the growth",
    .shows("receive: spikes"),
    arguments: Growth.all)
  func grows(growth: Growth) throws {
    for seed in LongRun.isWanted ? 1...20 : UInt64(3)...3 {
      let stream = try PacketStream.null(seconds: 100, seed: seed) {
        growth.jitter > 0 ? Double.random(in: 20..<(20 + growth.jitter), using: &$0) : 20
      }
      let packets = stream.packets.map { packet in
        var packet = packet
        packet.arrival += Int(growth.longer(Double(packet.arrival) * 1e-9) * 1e6)
        return packet
      }.sorted { $0.arrival < $1.arrival }
      let bench = try ReceiverBench(
        JitterBufferOptions(codec: .null), packets: packets, frameCount: 10_000, keepsSamples: false)
      let made = bench.concealed(500..<10_000) * 95_000
      #expect(made <= growth.price * growth.total + 2 * growth.jitter, "seed \(seed)")
      #expect(bench.concealed(8_000..<10_000) <= 0.005, "seed \(seed)")
      #expect(bench.delay(8_000..<10_000) <= bench.delay(100..<700) + growth.jitter + 20, "seed \(seed)")
      #expect(bench.imbalances.isEmpty)
    }
  }
}
