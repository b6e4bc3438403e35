import Glibc
import OpusCodec
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct OpusCodecTests {
  private let voice = VoiceLikeSignal.make(seconds: 1)

  private func packets(_ options: OpusOptions) throws -> [[UInt8]] {
    var encoder = try OpusEncoder(channelCount: 1, options: options)
    var buffer = [UInt8](repeating: 0, count: OpusEncoder.maximumPacketByteCount)
    var packets: [[UInt8]] = []
    var start = 0
    while start + encoder.samplesPerPacket <= voice.count {
      let count = try voice.withUnsafeBufferPointer { samples in
        try buffer.withUnsafeMutableBytes { try encoder.encode(samples.baseAddress! + start, into: $0) }
      }
      packets.append(Array(buffer[..<count]))
      start += encoder.samplesPerPacket
    }
    return packets
  }

  @Test("options out of range are refused with the value in the sentence")
  func refuses() {
    let wrong = [
      (OpusOptions(bitrate: 5_999), "5999"), (OpusOptions(bitrate: 510_001), "510001"),
      (OpusOptions(complexity: 11), "11"), (OpusOptions(complexity: -1), "-1"),
      (OpusOptions(expectedLossPercent: 101), "101"),
      (OpusOptions(forwardErrorCorrection: true, application: .lowDelay), "low-delay"),
    ]
    for (options, text) in wrong {
      do throws(EngineError) {
        _ = try OpusEncoder(channelCount: 1, options: options)
        Issue.record("\(options) were accepted")
      } catch {
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains(text))
      }
    }
  }

  @Test("the ends of every range are accepted")
  func accepts() throws {
    for bitrate in [6_000, 510_000] {
      for complexity in [0, 10] {
        #expect(try !packets(OpusOptions(bitrate: bitrate, complexity: complexity)).isEmpty)
      }
    }
  }

  @Test("the number of samples is read from a packet", arguments: OpusOptions.PacketDuration.allCases)
  func sampleCount(duration: OpusOptions.PacketDuration) throws {
    for packet in try packets(OpusOptions(packetDuration: duration)) {
      let count = try packet.withUnsafeBytes { try OpusDecoder.sampleCount(of: $0) }
      #expect(count == 48 * duration.rawValue)
    }
  }

  @Test("a broken packet is an error, and the decoder continues after it")
  func brokenPackets() throws {
    let good = try packets(OpusOptions(packetDuration: .milliseconds20))[10]
    var decoder = try OpusDecoder(channelCount: 1)
    var samples = [Float](repeating: 0, count: 5_760)
    // Nothing; a packet of two frames of different size without their sizes; a packet of 63 frames.
    for broken in [[], [0xFE], [0x83, 0x3F, 0, 0]] as [[UInt8]] {
      #expect(throws: OpusError.self) {
        try broken.withUnsafeBytes { _ = try decoder.decode($0, into: &samples, capacity: 5_760) }
      }
    }
    #expect(throws: OpusError.self) {
      try good.withUnsafeBytes { _ = try decoder.decode($0, into: &samples, capacity: 480) }
    }
    let count = try good.withUnsafeBytes { try decoder.decode($0, into: &samples, capacity: 5_760) }
    #expect(count == 960)
  }

  @Test("FEC recovers a lost packet better than concealment does")
  func recovers() throws {
    let options = OpusOptions(
      bitrate: 40_000, forwardErrorCorrection: true, expectedLossPercent: 30, application: .voip)
    let packets = try packets(options)
    var errors = [0.0, 0.0]
    for (index, recovers) in [true, false].enumerated() {
      var decoder = try OpusDecoder(channelCount: 1)
      var reference = try OpusDecoder(channelCount: 1)
      var samples = [Float](repeating: 0, count: 960)
      var expected = samples
      for (number, packet) in packets.enumerated() {
        try packet.withUnsafeBytes { _ = try reference.decode($0, into: &expected, capacity: 960) }
        let isLost = number % 5 == 3 && number + 1 < packets.count
        if !isLost {
          try packet.withUnsafeBytes { _ = try decoder.decode($0, into: &samples, capacity: 960) }
        } else if recovers {
          try packets[number + 1].withUnsafeBytes { _ = try decoder.recover(before: $0, into: &samples, count: 960) }
        } else {
          _ = try decoder.conceal(into: &samples, count: 960)
        }
        if isLost { errors[index] += zip(samples, expected).reduce(0) { $0 + Double(pow($1.0 - $1.1, 2)) } }
      }
    }
    #expect(errors[0] < errors[1])
  }

  @Test("an encoder without capacity for a packet throws an error")
  func noRoom() throws {
    var encoder = try OpusEncoder(channelCount: 1, options: OpusOptions())
    #expect(throws: OpusError.self) {
      try voice.withUnsafeBufferPointer { samples in
        _ = try encoder.encode(samples.baseAddress!, into: UnsafeMutableRawBufferPointer(start: nil, count: 0))
      }
    }
  }
}
