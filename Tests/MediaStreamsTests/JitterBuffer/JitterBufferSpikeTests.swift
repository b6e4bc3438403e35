import MediaStreams
import StreamTestSupport
import TestSupport
import Testing

/// A network that stands still for 120 to 240 ms now and then, and goes on with all that it has held up.
// With AUDIOPIPE_LONG=1 it takes hours.
@Suite(.timeLimit(.minutes(LongRun.minutes))) struct JitterBufferSpikeTests {
  struct Case: CustomStringConvertible, Sendable {
    let jitter: Double
    let packetMilliseconds: Int
    let codec: ReceiverCodec
    var description: String { "±\(jitter / 2) ms, \(packetMilliseconds) ms packets, \(codec)" }

    static let all = [
      Case(jitter: 0, packetMilliseconds: 20, codec: .null), Case(jitter: 30, packetMilliseconds: 20, codec: .null),
      Case(jitter: 0, packetMilliseconds: 10, codec: .linear16()),
      Case(jitter: 20, packetMilliseconds: 10, codec: .linear16()),
    ]
  }

  /// A voice that never pauses, as 16-bit samples.
  private static let voice: [[UInt8]] = {
    let sound = TestVoice.samples
    return stride(from: 0, to: sound.count, by: 480).map { start in
      sound[start..<(start + 480)].flatMap { value in
        let sample = Int16(max(-1, min(1, value)) * 32_000)
        return [UInt8(truncatingIfNeeded: sample >> 8), UInt8(truncatingIfNeeded: sample)]
      }
    }
  }()

  @Test(
    "a spike conceals its excess over the delay plus 40 ms at most",
    .shows("receive: spikes"),
    arguments: Case.all)
  func spikes(setting: Case) throws {
    for seed in LongRun.isWanted ? 1...20 : UInt64(11)...11 { try spikes(setting, seed: seed) }
  }

  private func spikes(_ setting: Case, seed: UInt64) throws {
    let seconds = LongRun.isWanted ? 120 : setting.codec == .null ? 15 : 9
    var random = SeededGenerator(seed: seed)
    var spikes: [(begin: Double, size: Double)] = []
    var begin = 5_000.0
    while begin < Double(seconds - 3) * 1_000 {
      spikes.append((begin, Double.random(in: 120...240, using: &random)))
      begin += 3_000 + Double.random(in: 0...500, using: &random)
    }
    var packets: [TimedPacket] = []
    for number in 0..<(seconds * 1_000 / setting.packetMilliseconds) {
      let sent = 3.3 + Double(number * setting.packetMilliseconds)
      let free = spikes.first { sent >= $0.begin && sent < $0.begin + $0.size }.map { $0.begin + $0.size } ?? sent
      let arrival = free + 20 + (setting.jitter > 0 ? Double.random(in: 0..<setting.jitter, using: &random) : 0)
      packets.append(
        try TimedPacket(
          arrival: Int(arrival * 1e6),
          payload: setting.codec == .null
            ? TimedPacket.null(number, samples: setting.packetMilliseconds * 48)
            : Self.voice[number % Self.voice.count],
          sequenceNumber: UInt16(number), timestamp: UInt32(number * setting.packetMilliseconds * 48)))
    }
    packets.sort { $0.arrival < $1.arrival }
    let bench = try ReceiverBench(
      JitterBufferOptions(codec: setting.codec), packets: packets, frameCount: seconds * 100, keepsSamples: false)
    for spike in spikes {
      let start = Int(spike.begin / 10)
      let end = Int((spike.begin + spike.size) / 10)
      let buffer = bench.delay((start - 100)..<start)
      let concealed = bench.concealed(start..<(end + 50)) * Double(end + 50 - start - 1) * 10
      let place = "seed \(seed), spike of \(spike.size) at \(spike.begin) ms, buffer \(buffer)"
      #expect(concealed <= spike.size - buffer + 40, "\(place)")
      let after = bench.delay((end + 200)..<(end + 250))
      // A frame more, if the packets around it were late as well, and what is too little to be spliced.
      #expect(after <= buffer + 20, "\(place)")
    }
    #expect(bench.imbalances.isEmpty)
  }

  @Test(
    "a stall is recognised even if its packets arrive in reverse order",
    .shows("receive: spikes"))
  func disorder() throws {
    var stream = try PacketStream.null(seconds: 20, seed: 5) { Double.random(in: 20..<50, using: &$0) }
    for index in stream.packets.indices {
      let arrival = stream.packets[index].arrival
      guard (6_000_000_000..<15_000_000_000).contains(arrival) else { continue }
      // 160 ms every two seconds; the newest comes first.
      let end = arrival / 2_000_000_000 * 2_000_000_000 + 160_000_000
      if arrival < end { stream.packets[index].arrival = end + (end - arrival) / 8 }
    }
    stream.packets.sort { $0.arrival < $1.arrival }
    let bench = try ReceiverBench(
      JitterBufferOptions(codec: .null), packets: stream.packets, frameCount: 2_000, keepsSamples: false)
    let before = bench.delay(500..<600)
    #expect(bench.delay(1_650..<1_900) <= before + 10, "\(before)")
  }

  @Test(
    "recurring stalls are waited for, and the delay is short 5 s later",
    .shows("receive: spikes"),
    arguments: [0.0, 10_000], UInt64(1)...3)
  func recurrence(calm: Double, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var begin = calm
    var stream = try PacketStream.null(seconds: 44, seed: seed) { Double.random(in: 20..<30, using: &$0) }
    while begin < 34_000 {
      begin += Double.random(in: 600...1_400, using: &random)
      let (first, last) = (Int(begin * 1e6), Int((begin + Double.random(in: 120...240, using: &random)) * 1e6))
      for index in stream.packets.indices where (first..<last).contains(stream.packets[index].arrival) {
        stream.packets[index].arrival = last + (stream.packets[index].arrival - first) / 100
      }
    }
    stream.packets.sort { $0.arrival < $1.arrival }
    let bench = try ReceiverBench(
      JitterBufferOptions(codec: .null), packets: stream.packets, frameCount: 4_400, keepsSamples: false)
    // All that stands still is 18 % of the time.
    #expect(bench.concealed(2_000..<3_400) <= 0.04)
    #expect((120...250).contains(bench.delay(2_000..<3_400)))
    #expect(bench.delay(3_980..<4_400) <= 30)
    #expect(bench.imbalances.isEmpty)
  }

  @Test(
    "a delay that stays longer is followed without further concealment",
    .shows("receive: delay"))
  func stepUp() throws {
    let stream = try PacketStream.null(seconds: 90, seed: 4) { Double.random(in: 20..<30, using: &$0) }
    let packets = stream.packets.map { packet in
      var packet = packet
      if (20_000_000_000..<50_000_000_000).contains(packet.arrival) { packet.arrival += 150_000_000 }
      return packet
    }.sorted { $0.arrival < $1.arrival }
    let bench = try ReceiverBench(
      JitterBufferOptions(codec: .null), packets: packets, frameCount: 9_000, keepsSamples: false)
    let before = bench.delay(1_000..<2_000)
    #expect(bench.concealed(2_100..<5_000) <= 0.01)
    // The way has become longer, not the wait.
    #expect(bench.delay(3_500..<5_000) <= before + 15)
    #expect(bench.delay(7_500..<9_000) <= before + 15)
    #expect(bench.imbalances.isEmpty)
  }
}
