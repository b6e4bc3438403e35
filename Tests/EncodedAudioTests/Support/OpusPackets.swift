import COpus
import COpusFile
import Glibc
import TestSupport

/// Packets of libopus, and its reading of files.
enum OpusPackets {
  /// Encodes a tone in packets of 20 ms.
  static func tone(
    seconds: Double, hertz: Double = 1_000, channelCount: Int = 1, application: Int32 = OPUS_APPLICATION_AUDIO
  ) -> [[UInt8]] {
    var code: Int32 = 0
    guard let encoder = opus_encoder_create(48_000, Int32(channelCount), application, &code) else { return [] }
    defer { opus_encoder_destroy(encoder) }
    return (0..<Int(seconds * 50)).map { index in
      let samples = (0..<960 * channelCount).map { place in
        Float(0.5 * sin(2 * Double.pi * hertz * Double(index * 960 + place / channelCount) / 48_000))
      }
      var packet = [UInt8](repeating: 0, count: 1_275)
      let count = opus_encode_float(encoder, samples, 960, &packet, Int32(packet.count))
      return Array(packet.prefix(Int(count)))
    }
  }

  /// Packets of random bytes: CELT in fullband, mono, 20 ms.
  static func random(count: Int, seed: UInt64) -> [[UInt8]] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      [0xF8]
        + (0..<Int.random(in: 20...120, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
  }

  /// Decodes a file by libopusfile; nil for a file that it refuses.
  static func decode(_ file: [UInt8]) -> (samples: [Float], channelCount: Int, total: Int)? {
    var code: Int32 = 0
    guard let handle = op_open_memory(file, file.count, &code) else { return nil }
    defer { op_free(handle) }
    let channelCount = Int(op_channel_count(handle, 0))
    var samples: [Float] = []
    var block = [Float](repeating: 0, count: 5_760 * 2)
    while true {
      let count = op_read_float(handle, &block, Int32(block.count), nil)
      guard count != 0 else { break }
      guard count > 0 else { return nil }
      samples += block.prefix(Int(count) * channelCount)
    }
    return (samples, channelCount, Int(op_pcm_total(handle, -1)))
  }
}
