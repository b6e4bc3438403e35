import AudioGraph
import Engine
import Glibc
import MediaStreams
import OpusCodec
import RTP

/// A receiver by itself: all that it does without a codec, and with Opus beside the bare decoder.
enum ReceiverSubject {
  /// A stream, and what its network does to it.
  private struct Network {
    let name: String
    let codec: ReceiverCodec
    let packetMilliseconds: Int
    let jitterMilliseconds: Double
    let ppm: Double
    let loss: Double
  }

  static func run(_ bench: Bench) throws {
    for network in [
      Network(name: "clean network", codec: .null, packetMilliseconds: 20, jitterMilliseconds: 0, ppm: 0, loss: 0),
      Network(name: "±20 ms", codec: .null, packetMilliseconds: 10, jitterMilliseconds: 40, ppm: 0, loss: 0),
      Network(
        name: "±20 ms, 10 % loss, 100 ppm, L16", codec: .linear16(), packetMilliseconds: 10, jitterMilliseconds: 40,
        ppm: 100, loss: 0.1),
    ] {
      try withoutCodec(bench, network)
    }
    try withOpus(bench)
    try manyUsers(bench)
  }

  /// 60 s of frames; the target is what the whole but libopus and SRTP may cost.
  private static func withoutCodec(_ bench: Bench, _ network: Network) throws {
    guard bench.wants(network.name) else { return }
    let packets = makePackets(network, seconds: 60)
    let player = try Player(JitterBufferOptions(codec: network.codec), packets)
    // Frames differ too much for a median, so what else the machine does is kept out by the thread's own clock.
    let start = processorNanoseconds()
    for _ in 0..<6_000 { player.step() }
    let spent = processorNanoseconds() - start
    try bench.check(player.statistics.packetsReceived > 2_000, "packets were not received")
    bench.note("\(network.name), a frame", spent / 6_000 / 1_000, unit: "µs", target: 5)
  }

  private static func processorNanoseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  private static func withOpus(_ bench: Bench) throws {
    let payloads = try opusPayloads()
    let packets = payloads.enumerated().map { index, payload in
      packet(payload, number: index, milliseconds: 20, arrival: index * 20_000_000)
    }
    let player = try Player(JitterBufferOptions(), packets)
    var decoder = try OpusDecoder(channelCount: 1)
    var next = 0
    let decoded = UnsafeMutablePointer<Float>.allocate(capacity: 5_760)
    defer { decoded.deallocate() }
    bench.compareTimes(
      "Opus, a frame", to: "OpusDecoder alone", turns: 150, isPerFrame: true, target: 1.3,
      allocating: { for _ in 0..<20 { player.step() } },
      ours: {
        let start = Bench.nanoseconds()
        for _ in 0..<20 { player.step() }
        return (Bench.nanoseconds() - start) / 20
      },
      twin: {
        let start = Bench.nanoseconds()
        for _ in 0..<10 {
          payloads[next % payloads.count].withUnsafeBytes {
            _ = try? decoder.decode($0, into: decoded, capacity: 5_760)
          }
          next += 1
        }
        return (Bench.nanoseconds() - start) / 20
      })
    try bench.check(player.statistics.concealedSamples == 0, "packets were missing")
  }

  /// Users of a large room, all of whom talk: a load below 100 % is real time on one core, and no receiver can be
  /// faster than its decoder alone.
  private static func manyUsers(_ bench: Bench) throws {
    let name = "500 users at once, a frame of all"
    guard bench.wants(name) else { return }
    let count = 500
    let payloads = try opusPayloads()
    // Half of them send in one frame, half in the next.
    let packets = (0..<2).map { half in
      payloads.enumerated().map { index, payload in
        packet(payload, number: index, milliseconds: 20, arrival: index * 20_000_000 + half * 10_000_000)
      }
    }
    let players = try (0..<count).map { try Player(JitterBufferOptions(), packets[$0 % 2]) }
    let decoders = try DecoderRoom(count: count, payloads: payloads)
    bench.compareTimes(
      name, to: "500 OpusDecoders alone", turns: 60, isPerFrame: true,
      allocating: { for player in players { player.step() } },
      ours: {
        let start = Bench.nanoseconds()
        for _ in 0..<2 { for player in players { player.step() } }
        return (Bench.nanoseconds() - start) / 2
      },
      twin: { decoders.step() })
    try bench.check(players.allSatisfy { $0.statistics.concealedSamples == 0 }, "packets were missing")
  }

  /// Packets of 20 ms of a voice.
  static func opusPayloads() throws -> [[UInt8]] {
    let samples = Signal.voice(count: 960 * 3_200)
    var encoder = try OpusEncoder(channelCount: 1, options: OpusOptions(complexity: 1))
    var buffer = [UInt8](repeating: 0, count: OpusEncoder.maximumPacketByteCount)
    return try (0..<3_200).map { index in
      let count = try samples.withUnsafeBufferPointer { samples in
        try buffer.withUnsafeMutableBytes { try encoder.encode(samples.baseAddress! + index * 960, into: $0) }
      }
      return Array(buffer[..<count])
    }
  }

  private static func makePackets(_ network: Network, seconds: Int) -> [(arrival: Int, bytes: [UInt8])] {
    var random: UInt64 = 1
    func unit() -> Double {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(random >> 11) * 0x1p-53
    }
    let milliseconds = network.packetMilliseconds
    let samples = 48 * milliseconds
    return (0..<(seconds * 1_000 / milliseconds)).compactMap { number in
      let sent = Double(number * milliseconds) / (1 + network.ppm * 1e-6)
      let arrival = sent + 20 + network.jitterMilliseconds * unit()
      if unit() < network.loss { return nil }
      var payload = [UInt8](repeating: 0, count: NullPayload.byteCount)
      if network.codec == .null {
        _ = payload.withUnsafeMutableBytes {
          NullPayload(source: 1, sequence: UInt32(number), sampleCount: UInt16(samples)).write(to: $0)
        }
      } else {
        payload = (0..<samples).flatMap { index -> [UInt8] in
          let sawtooth = Int16(truncatingIfNeeded: (number * samples + index) % 367 * 60 - 11_000)
          return [UInt8(truncatingIfNeeded: sawtooth >> 8), UInt8(truncatingIfNeeded: sawtooth)]
        }
      }
      return packet(payload, number: number, milliseconds: milliseconds, arrival: Int(arrival * 1e6))
    }.sorted { $0.arrival < $1.arrival }
  }

  private static func packet(
    _ payload: [UInt8], number: Int, milliseconds: Int, arrival: Int
  ) -> (arrival: Int, bytes: [UInt8]) {
    var bytes = [UInt8](repeating: 0, count: RTPHeader.byteCount) + payload
    let header = RTPHeader(
      marker: false, payloadType: 111, sequenceNumber: UInt16(truncatingIfNeeded: number),
      timestamp: UInt32(truncatingIfNeeded: number * milliseconds * 48), ssrc: 1)
    bytes.withUnsafeMutableBytes { _ = try? header.write(to: $0) }
    return (arrival, bytes)
  }
}

/// A receiver whose time goes on by a frame at each step, with the packets that belong to it.
private final class Player {
  private var receiver: JitterBuffer
  private let packets: [(arrival: Int, bytes: [UInt8])]
  private let memory: FrameMemory
  private var next = 0
  private var frame = 0

  init(_ options: JitterBufferOptions, _ packets: [(arrival: Int, bytes: [UInt8])]) throws {
    receiver = try JitterBuffer(options)
    self.packets = packets
    memory = FrameMemory(count: 1, format: try AudioFormat(sampleRate: 48_000, channelCount: options.channelCount))
  }

  var statistics: JitterBufferStatistics { receiver.statistics }

  func step() {
    let now = frame * 10_000_000
    while next < packets.count, packets[next].arrival <= now {
      let arrival = packets[next].arrival
      packets[next].bytes.withUnsafeBytes { receiver.insert($0, arrivalNanoseconds: arrival) }
      next += 1
    }
    receiver.render(into: memory[0], nowNanoseconds: now)
    frame += 1
  }
}
