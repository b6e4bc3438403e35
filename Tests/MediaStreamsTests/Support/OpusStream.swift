import OpusCodec

/// A signal as Opus packets, and what libopus makes of them again.
enum OpusStream {
  /// The packets of interleaved samples.
  static func encode(_ samples: [Float], channelCount: Int = 1, options: OpusOptions) throws -> [[UInt8]] {
    var encoder = try OpusEncoder(channelCount: channelCount, options: options)
    var buffer = [UInt8](repeating: 0, count: OpusEncoder.maximumPacketByteCount)
    var packets: [[UInt8]] = []
    let length = encoder.samplesPerPacket * channelCount
    for start in stride(from: 0, to: samples.count - length + 1, by: length) {
      let count = try samples.withUnsafeBufferPointer { samples in
        try buffer.withUnsafeMutableBytes { try encoder.encode(samples.baseAddress! + start, into: $0) }
      }
      packets.append(Array(buffer[..<count]))
    }
    return packets
  }

  /// Interleaved samples of packets that all arrive.
  static func decode(_ packets: [[UInt8]], channelCount: Int = 1) throws -> [Float] {
    var decoder = try OpusDecoder(channelCount: channelCount)
    var samples = [Float](repeating: 0, count: OpusDecoder.maximumSamplesPerPacket * channelCount)
    var result: [Float] = []
    for packet in packets {
      let count = try packet.withUnsafeBytes {
        try decoder.decode($0, into: &samples, capacity: samples.count / channelCount)
      }
      result += samples[..<(count * channelCount)]
    }
    return result
  }

  /// Puts `count` packets at a time into one, as RFC 6716 lets (code 3, lengths of their own). Their modes must be
  /// alike.
  static func join(_ packets: [[UInt8]], _ count: Int) -> [[UInt8]]? {
    var joined: [[UInt8]] = []
    for start in stride(from: 0, to: packets.count - count + 1, by: count) {
      let parts = packets[start..<(start + count)]
      guard Set(parts.map { $0[0] }).count == 1, parts.allSatisfy({ $0[0] & 3 == 0 }) else { return nil }
      var packet = [parts[start][0] | 3, 0x80 | UInt8(count)]
      for part in parts.dropLast() {
        let length = part.count - 1
        packet += length < 252 ? [UInt8(length)] : [UInt8(252 + length % 4), UInt8((length - 252 - length % 4) / 4)]
      }
      joined.append(packet + parts.flatMap { $0.dropFirst() })
    }
    return joined
  }
}
