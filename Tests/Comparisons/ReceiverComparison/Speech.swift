import AudioGraph
import Engine
import Glibc
import MediaStreams
import NetworkSimulation
import OpusCodec
import RTP

/// A recording as packets of 20 ms at 32 kbit/s with FEC, and what comes out at the other end.
struct Speech {
  let packets: [[UInt8]]
  let sampleCount: Int
  private static let samplesPerPacket = 960
  /// Samples by which decoded sound lags behind the recording.
  private let preSkip: Int

  init(path: String, expectedLossPercent: Int) throws {
    guard let file = fopen(path, "rb") else {
      ReceiverComparison.complain("ReceiverComparison: \(path) cannot be read")
      exit(66)
    }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var samples = [Float](repeating: 0, count: ftell(file) / 4)
    rewind(file)
    _ = fread(&samples, 4, samples.count, file)
    var encoder = try OpusEncoder(
      channelCount: 1,
      options: OpusOptions(
        bitrate: 32_000, complexity: 9, forwardErrorCorrection: true, expectedLossPercent: expectedLossPercent,
        application: .voip))
    preSkip = encoder.preSkip
    var buffer = [UInt8](repeating: 0, count: OpusEncoder.maximumPacketByteCount)
    var packets: [[UInt8]] = []
    for start in stride(from: 0, to: samples.count - Self.samplesPerPacket + 1, by: Self.samplesPerPacket) {
      let count = try samples.withUnsafeBufferPointer { samples in
        try buffer.withUnsafeMutableBytes { try encoder.encode(samples.baseAddress! + start, into: $0) }
      }
      packets.append(Array(buffer[..<count]))
    }
    self.packets = packets
    sampleCount = samples.count
  }

  /// What libopus makes of the packets that are not lost, with FEC wherever the next one is there.
  func reference(lost: [Bool]) throws -> [Float] {
    var decoder = try OpusDecoder(channelCount: 1)
    var samples = [Float](repeating: 0, count: Self.samplesPerPacket)
    var result: [Float] = []
    for index in packets.indices {
      if !lost[index] {
        try packets[index].withUnsafeBytes { _ = try decoder.decode($0, into: &samples, capacity: samples.count) }
      } else if index + 1 < packets.count, !lost[index + 1] {
        try packets[index + 1].withUnsafeBytes {
          _ = try decoder.recover(before: $0, into: &samples, count: samples.count)
        }
      } else {
        _ = try decoder.conceal(into: &samples, count: samples.count)
      }
      result += samples
    }
    return Array(result.dropFirst(preSkip))
  }

  /// What a receiver renders behind a network that loses these packets and delays the others.
  func received(
    lost: [Bool], conditions: NetworkConditions, seed: UInt64
  ) throws -> (samples: [Float], statistics: JitterBufferStatistics) {
    var link = ImpairedLink<[UInt8]>(conditions, seed: seed, link: LinkIdentity(sender: 1, receiver: 2))
    // Sender and receiver begin their frames at different moments.
    let offset = Int(seed &* 7_919 % 10_000) * 1_000
    for (index, payload) in packets.enumerated() where !lost[index] {
      var packet = [UInt8](repeating: 0, count: RTPHeader.byteCount) + payload
      let header = RTPHeader(
        marker: index == 0, payloadType: 111, sequenceNumber: UInt16(truncatingIfNeeded: index),
        timestamp: UInt32(truncatingIfNeeded: index * Self.samplesPerPacket), ssrc: 1)
      _ = try packet.withUnsafeMutableBytes { try header.write(to: $0) }
      link.send(packet, nowNanoseconds: index * 20_000_000 + offset)
    }
    var receiver = try JitterBuffer()
    let memory = FrameMemory(count: 1, format: try AudioFormat(sampleRate: 48_000, channelCount: 1))
    defer { withExtendedLifetime(memory) {} }
    var result: [Float] = []
    for tick in 0..<(2 * packets.count + 20) {
      let now = tick * 10_000_000
      while let delivery = link.receive(nowNanoseconds: now) {
        delivery.datagram.withUnsafeBytes { receiver.insert($0, arrivalNanoseconds: delivery.arrivalNanoseconds) }
      }
      receiver.render(into: memory[0], nowNanoseconds: now)
      result += UnsafeBufferPointer(start: memory[0].channel(0), count: 480)
    }
    // PESQ lines up what is left of the delay, which changes.
    let lead = preSkip + offset * 48 / 1_000_000 + Int(conditions.delay / .milliseconds(1) * 48) + 960
    return (Array(result.dropFirst(lead)), receiver.statistics)
  }
}
