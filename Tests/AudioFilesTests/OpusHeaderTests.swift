import AudioFiles
import AudioGraph
import FileTestSupport
import Glibc
import TestSupport
import Testing

/// What the header of an Ogg Opus file says and what of it decoding follows. Source: RFC 7845, section 5.1.
@Suite(.timeLimit(.minutes(10)), .enabled(if: isInstalled("ffmpeg"), "ffmpeg is not installed"))
struct OpusHeaderTests {
  private let files = TestFiles()

  /// A tone of 12 kHz, which a decoder of less than 24 kHz cannot give.
  private func tone() -> String {
    let path = files.path("tone.opus")
    _ = run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", "sine=frequency=12000:sample_rate=48000:duration=1", "-c:a",
        "libopus",
        "-b:a", "96k", path,
      ])
    return path
  }

  /// The file with other bytes in its first page's body, and the checksum of RFC 3533 again.
  private func patched(_ path: String, at offset: Int, _ values: [UInt8]) throws -> String {
    var bytes = files.bytes(path)
    let body = 27 + Int(bytes[26])
    let end = body + bytes[27..<body].reduce(0) { $0 + Int($1) }
    bytes.replaceSubrange(body + offset..<body + offset + values.count, with: values)
    bytes.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    var sum: UInt32 = 0
    for byte in bytes[..<end] {
      sum ^= UInt32(byte) << 24
      for _ in 0..<8 { sum = sum >> 31 == 1 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
    bytes.replaceSubrange(22..<26, with: (0..<4).map { UInt8(sum >> (8 * $0) & 255) })
    let patched = files.path("patched.opus")
    let file = try #require(fopen(patched, "w"))
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    return patched
  }

  @Test(
    "the input rate in the header changes nothing", .shows("input: compressed"),
    arguments: [0, 8_000, 16_000, 44_100, 192_000, 0xFFFF_FFFF] as [UInt32])
  func rate(rate: UInt32) throws {
    let original = tone()
    let planes = try files.read(original)
    let file = try patched(original, at: 12, (0..<4).map { UInt8(rate >> (8 * $0) & 255) })
    #expect(try AudioFileReader.open(path: file).format.sampleRate == 48_000)
    #expect(try files.read(file) == planes)
  }

  @Test("the output gain is applied: -6 dB halve the sound, as in ffmpeg")
  func gain() throws {
    let original = tone()
    let plane = try files.read(original)[0]
    // In 256ths of a dB.
    let quieter = try files.read(try patched(original, at: 16, [0x00, 0xFA]))[0]
    let ratio = pow(10, Float(-6) / 20)
    #expect(plane.count == quieter.count)
    #expect(zip(plane, quieter).allSatisfy { abs($0 * ratio - $1) < 0.001 })
  }

  @Test("as many samples are left out at the beginning as the header says", arguments: [0, 312, 3_840, 24_000])
  func preSkip(count: Int) throws {
    let original = tone()
    let all = try files.read(original)[0].count
    let file = try patched(original, at: 10, [UInt8(count & 255), UInt8(count >> 8)])
    // The file's own pre-skip is 312.
    #expect(try files.read(file)[0].count == all + 312 - count)
  }
}
