import AudioGraph
import Engine
import MediaStreams
import OpusCodec
import RTP
import SoundOptions

/// Measures how many users can be received at a time.
enum DecodingCapacity {
  private static let userCount = 20
  private static let frameCount = 200
  private static let frameNanoseconds = 10_000_000

  /// Returns the number of users that fit into a frame of 10 ms, in the best of three runs.
  static func measure() throws -> Double {
    let payloads = try payloads()
    let cost = try (0..<3).map { _ in try frame(payloads) }.min()!
    return 10_000_000 / max(1, cost / Double(userCount))
  }

  /// Returns 50 Opus payloads of 20 ms at 32 kbit/s.
  private static func payloads() throws -> [[UInt8]] {
    var encoder = try OpusEncoder(channelCount: 1, options: OpusOptions(bitrate: 32_000))
    var packet = [UInt8](repeating: 0, count: 1_275)
    return try (0..<50).map { number in
      let samples = (0..<960).map { index in
        let phase = Float((number * 960 + index) % 320) / 320
        return (0.5 - phase) * 0.4
      }
      let count = try samples.withUnsafeBufferPointer { samples in
        try packet.withUnsafeMutableBytes { try encoder.encode(samples.baseAddress!, into: $0) }
      }
      return Array(packet[..<count])
    }
  }

  /// Returns the mean time of a frame with all users, in nanoseconds.
  private static func frame(_ payloads: [[UInt8]]) throws -> Double {
    let pipeline = try AudioPipeline(mode: .offline)
    let sources = try (1...UInt32(userCount)).map { try pipeline.addRemoteUser($0, receiving: JitterBufferOptions()) }
    try pipeline.addSink(.pull(AudioFormat(sampleRate: 48_000, channelCount: 2), capacity: frameCount + 100))
    try pipeline.startStepping(isEndless: true)
    defer { pipeline.finishStepping() }
    let clock = ContinuousClock()
    var packet = [UInt8](repeating: 0, count: 1_500)
    return try clock.measure {
      for frame in 0..<frameCount {
        let now = frame * frameNanoseconds
        for (index, source) in sources.enumerated() {
          if index % 2 == frame % 2 {
            try send(payloads[frame / 2 % payloads.count], frame / 2, to: source, now, &packet)
          }
          source.complete(untilNanoseconds: now + 1)
        }
        pipeline.step(atNanoseconds: now)
      }
    } / .nanoseconds(1) / Double(frameCount)
  }

  private static func send(
    _ payload: [UInt8], _ number: Int, to source: RTPSource, _ now: Int, _ packet: inout [UInt8]
  ) throws {
    let header = RTPHeader(
      marker: false, payloadType: 111, sequenceNumber: UInt16(truncatingIfNeeded: number),
      timestamp: UInt32(truncatingIfNeeded: number * 960), ssrc: 1)
    try packet.withUnsafeMutableBytes { bytes in
      try header.write(to: bytes)
      payload.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: bytes[RTPHeader.byteCount...]).copyMemory(from: $0)
      }
      source.receive(
        UnsafeRawBufferPointer(rebasing: bytes[..<(RTPHeader.byteCount + payload.count)]), arrivalNanoseconds: now)
    }
  }
}
