import AudioFiles
import AudioGraph
import FileTestSupport
import Glibc
import TestSupport
import Testing

/// Compressed files as they come: through pipes, with headers that are wrong, in unusual containers.
@Suite(.timeLimit(.minutes(10)), .enabled(if: isInstalled("ffmpeg"), "ffmpeg is not installed"))
struct CompressedFilesTests {
  private let files = TestFiles()

  private func make(_ name: String, _ options: [String]) -> String {
    let path = files.path(name)
    let input = ["-v", "error", "-y", "-f", "lavfi", "-i", "sine=frequency=440:duration=3:sample_rate=44100"]
    _ = run("ffmpeg", input + options + [path])
    return path
  }

  private func readAll(_ reader: AudioFileReader) throws -> [Float] {
    var samples: [Float] = []
    var block = [Float](repeating: 0, count: 8_192)
    while true {
      let count = try block.withUnsafeMutableBufferPointer {
        try reader.read(into: $0.baseAddress!, stride: 8_192, maximumCount: 8_192)
      }
      if count == 0 { return samples }
      samples += block[..<count]
    }
  }

  @Test(
    "a compressed file through a pipe has the samples of the file", .shows("input: compressed"),
    arguments: ["flac", "ogg", "opus", "mp3", "aiff"])
  func pipes(kind: String) throws {
    let path = make("tone.\(kind)", [])
    let pipe = try #require(popen("cat '\(path)'", "r"))
    defer { pclose(pipe) }
    let reader = try AudioFileReader.open(descriptor: fileno(pipe))
    #expect(try readAll(reader) == files.read(path)[0])
  }

  @Test("a pipe that has no sound file in it is named as such")
  func noSound() throws {
    let pipe = try #require(popen("head -c 100000 /dev/zero", "r"))
    defer { pclose(pipe) }
    #expect(throws: AudioFileError(.unknownFormat, path: "standard input")) {
      try AudioFileReader.open(descriptor: fileno(pipe))
    }
  }

  @Test("FLAC in Ogg is refused by its name", .shows("input: compressed"))
  func flacInOgg() throws {
    let path = make("tone.oga", ["-c:a", "flac", "-f", "ogg"])
    #expect(throws: AudioFileError(.codec("FLAC in Ogg"), path: path)) { try AudioFileReader.open(path: path) }
  }

  /// The number of samples in STREAMINFO: 36 bits that end at byte 26.
  @Test(
    "a FLAC header that promises too few samples gives a warning", .shows("input: compressed"),
    arguments: [1, 66_150, 132_299, 132_300])
  func promise(count: Int) throws {
    let path = make("tone.flac", ["-c:a", "flac", "-frame_size", "1024"])
    var bytes = files.bytes(path)
    #expect(bytes[21] & 0x0F == 0 && bytes[22..<26].reduce(0) { $0 << 8 | Int($1) } == 132_300)
    for index in 0..<4 { bytes[22 + index] = UInt8(count >> (24 - 8 * index) & 255) }
    let short = files.path("short.flac")
    let file = try #require(fopen(short, "w"))
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
    let reader = try AudioFileReader.open(path: short)
    #expect(try readAll(reader).count == count)
    #expect(reader.warnings.map(\.code) == (count < 132_300 ? [.length] : []))
  }

  @Test("an MP3 file without a length is read to its end without a warning")
  func whole() throws {
    let reader = try AudioFileReader.open(path: make("tone.mp3", ["-write_xing", "0"]))
    #expect(try readAll(reader).count >= 132_300 && reader.warnings.isEmpty)
  }

  @Test("a CAF file of unknown length is read to its end")
  func unknownLength() throws {
    let path = make("tone.caf", ["-c:a", "pcm_s16le"])
    let whole = try files.read(path)
    var bytes = files.bytes(path)
    let data = try #require(bytes.indices.first { bytes[$0...].starts(with: "data".utf8) })
    bytes.replaceSubrange(data + 4..<data + 12, with: [UInt8](repeating: 0xFF, count: 8))
    let file = try #require(fopen(path, "w"))
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
    let reader = try AudioFileReader.open(path: path)
    #expect(reader.warnings.isEmpty && reader.samplesPerChannel == whole[0].count)
    #expect(try files.read(path) == whole)
  }

  private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = files.path(name)
    let file = try #require(fopen(path, "w"))
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
    return path
  }

  /// An empty ID3v2.4 tag with padding and a footer, which repeats the header with other letters.
  private static let footed: [UInt8] =
    Array("ID3".utf8) + [4, 0, 0x10, 0, 0, 2, 0] + [UInt8](repeating: 0, count: 256) + Array("3DI".utf8)
    + [4, 0, 0x10, 0, 0, 2, 0]

  @Test(
    "MP3 behind zeros, junk or a tag with a footer is read whole", .shows("input: compressed"),
    arguments: [
      [UInt8](repeating: 0, count: 4_096), (0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 &+ 7) }, footed,
    ])
  func behindJunk(junk: [UInt8]) throws {
    let path = make("tone.mp3", [])
    let whole = try files.read(path)[0]
    let samples = try files.read(try write("behind.mp3", junk + files.bytes(path)))[0]
    #expect(samples == whole)
  }

  @Test("MP3 that begins in mid-frame is read from its first whole frame on", .shows("input: compressed"))
  func midFrame() throws {
    let path = make("tone.mp3", ["-write_xing", "0"])
    let whole = try files.read(path)[0]
    let samples = try files.read(try write("cut.mp3", Array(files.bytes(path)[20_000...])))[0]
    // Whole frames of 1,152 samples; the first ones lack the bytes of those before, and one may be left out for that.
    let skipped = whole.count - samples.count
    #expect(skipped % 1_152 == 0 && skipped > 0)
    let isSame = [skipped, skipped - 1_152].contains { place in
      zip(samples.dropFirst(12 * 1_152), whole[(place + 12 * 1_152)...]).allSatisfy { abs($0 - $1) < 1e-4 }
    }
    #expect(isSame)
  }

  @Test("AAC, WavPack and 32-bit FLAC are refused by their names", .shows("input: compressed"))
  func named() throws {
    let flac = make("deep.flac", ["-c:a", "flac"])
    var bytes = files.bytes(flac)
    // The five bits of the sample size less one: 31.
    bytes[20] |= 1
    bytes[21] |= 0xF0
    for (path, name) in [
      (make("tone.aac", ["-c:a", "aac"]), "AAC (ADTS)"), (make("tone.wv", ["-c:a", "wavpack"]), "WavPack"),
      (try write("32.flac", bytes), "FLAC of 32 bits a sample (24 at the most)"),
    ] {
      #expect(throws: AudioFileError(.codec(name), path: path)) { try AudioFileReader.open(path: path) }
    }
  }

  @Test("an Opus capture with positions that begin above 0 is read whole", .shows("input: compressed"))
  func lateOpus() throws {
    let path = make("tone.opus", ["-c:a", "libopus"])
    let whole = try files.read(path)[0]
    var bytes = files.bytes(path)
    var place = 0
    while place < bytes.count {
      let body = 27 + Int(bytes[place + 26])
      let end = place + body + bytes[place + 27..<place + body].reduce(0) { $0 + Int($1) }
      let granule = bytes[place + 6..<place + 14].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if granule > 0 {
        for index in 0..<8 { bytes[place + 6 + index] = UInt8(truncatingIfNeeded: (granule + 480_000) >> (8 * index)) }
        for index in 22..<26 { bytes[place + index] = 0 }
        // RFC 3533, section 6.
        var sum: UInt32 = 0
        for byte in bytes[place..<end] {
          sum ^= UInt32(byte) << 24
          for _ in 0..<8 { sum = sum >> 31 == 1 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
        }
        for index in 0..<4 { bytes[place + 22 + index] = UInt8(sum >> (8 * index) & 255) }
      }
      place = end
    }
    let late = try files.read(try write("late.opus", bytes))[0]
    // ffmpeg and opusfile agree: the capture is as long as its packets, and begins behind the pre-skip.
    #expect(late == whole)
  }

  @Test(
    "equal sound gives equal Ogg bytes, other sound another serial number", arguments: ["ogg", "opus"])
  func sameBytes(kind: String) throws {
    let tone = [(0..<48_000).map { 0.3 * sine(440 * Double($0) / 48_000) }]
    let one = files.bytes(try files.write("one.\(kind)", tone))
    #expect(one == files.bytes(try files.write("two.\(kind)", tone)))
    let other = files.bytes(try files.write("other.\(kind)", [tone[0].map { $0 / 2 }]))
    #expect(one[14..<18] != other[14..<18])
    // A page with a wrong checksum is dropped by the library, and refused by ffmpeg so.
    #expect(try files.read(files.path("one.\(kind)"))[0].count == 48_000)
    let strict = ["-v", "error", "-xerror", "-err_detect", "crccheck+explode"]
    #expect(run("ffmpeg", strict + ["-i", files.path("one.\(kind)"), "-f", "null", "-"]) != nil)
  }
}
