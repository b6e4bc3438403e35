import AudioFiles
import AudioGraph
import FileTestSupport
import Glibc
import TestSupport
import Testing

/// What telephone systems and old workstations write; ffmpeg and sox are the oracles.
@Suite(.timeLimit(.minutes(10))) struct TelephoneFilesTests {
  private let files = TestFiles()

  /// Every byte that there is, as A-law or mu-law at 8 kHz.
  private func everyByte(_ kind: String) -> String {
    let path = files.path("bytes.\(kind)")
    write(Array(0...255), to: path)
    return path
  }

  private func write(_ bytes: some Sequence<UInt8>, to path: String) {
    let bytes = Array(bytes)
    let file = fopen(path, "w")!
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }

  private func samples16(_ bytes: [UInt8]) -> [Float] {
    stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      Float(Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)) / 32_768
    }
  }

  @Test(
    "A-law and mu-law have ffmpeg's samples, with and without a header",
    .shows("input: telephones"),
    .enabled(if: isInstalled("ffmpeg"), "ffmpeg is not installed"), arguments: ["alaw", "mulaw"])
  func companding(kind: String) throws {
    let raw = everyByte(kind)
    let input = ["-v", "error", "-y", "-f", kind, "-ar", "8000", "-ac", "1", "-i", raw]
    let theirs = samples16(try #require(run("ffmpeg", input + ["-f", "s16le", "-"])))
    let wav = files.path("a.wav")
    _ = run("ffmpeg", input + ["-c:a", "pcm_\(kind)", wav])
    let reader = try AudioFileReader.open(path: wav)
    #expect(reader.format.sampleRate == 8_000 && reader.sampleFormat == .int16 && reader.warnings.isEmpty)
    #expect(try files.read(wav) == [theirs])
    let descriptor = open(raw, O_RDONLY)
    defer { close(descriptor) }
    let headerless = try AudioFileReader.open(descriptor: descriptor, raw: RawFormat(parsing: "\(kind):8000:1"))
    var ours = [Float](repeating: 0, count: 300)
    let count = try ours.withUnsafeMutableBufferPointer {
      try headerless.read(into: $0.baseAddress!, stride: 300, maximumCount: 300)
    }
    #expect(count == 256 && Array(ours[..<count]) == theirs)
    #expect("\(try RawFormat(parsing: "\(kind):8000:1"))" == "\(kind):8000:1")
  }

  @Test(
    "RIFX is read as sox reads it", .shows("input: telephones"),
    .enabled(if: isInstalled("sox"), "sox is not installed"),
    arguments: [
      ("8", "unsigned-integer"), ("16", "signed-integer"), ("24", "signed-integer"), ("32", "floating-point"),
    ],
    [1, 2, 6])
  func bigEndian(kind: (bits: String, encoding: String), channels: Int) throws {
    let path = files.path("x.wav")
    let made = run(
      "sox",
      [
        "-R", "-n", "-r", "16000", "-c", "\(channels)", "-b", kind.bits, "-e", kind.encoding, "-B", path, "synth",
        "0.3",
        "pinknoise", "vol", "0.5",
      ])
    try #require(made != nil && files.bytes(path).starts(with: Array("RIFX".utf8)))
    let theirs = try #require(run("sox", [path, "-t", "raw", "-e", "floating-point", "-b", "32", "-L", "-"]))
    let values = (0..<theirs.count / 4).map { index in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(theirs[index * 4 + $1]) << (8 * UInt32($1)) })
    }
    let planes = (0..<channels).map { channel in
      stride(from: channel, to: values.count, by: channels).map { values[$0] }
    }
    #expect(try files.read(path) == planes)
  }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(number >> (8 * $0) & 255) }
  }

  /// A WAV file with this `fmt ` chunk, and as many bytes of sound.
  private func wav(_ format: [UInt8], dataBytes: Int) -> String {
    let path = files.path("made.wav")
    var bytes = Array("RIFF".utf8) + Self.little(20 + format.count + dataBytes, 4) + Array("WAVEfmt ".utf8)
    bytes += Self.little(format.count, 4) + format + Array("data".utf8) + Self.little(dataBytes, 4)
    bytes += (0..<dataBytes).map { UInt8($0 & 255) }
    write(bytes, to: path)
    return path
  }

  private func format(
    _ tag: Int, channels: Int, bits: Int, blockAlign: Int, extension tail: [UInt8] = []
  ) -> [UInt8] {
    Self.little(tag, 2) + Self.little(channels, 2) + Self.little(48_000, 4) + Self.little(48_000 * blockAlign, 4)
      + Self.little(blockAlign, 2) + Self.little(bits, 2) + tail
  }

  @Test(
    "B-format of ambisonics is read with a warning, in integers and floats", .shows("input: telephones"),
    arguments: [(1, 16), (3, 32)])
  func ambisonics(kind: (tag: Int, bits: Int)) throws {
    let guid: [UInt8] = [0x21, 0x07, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0x00, 0x00, 0x00]
    let tail = Self.little(22, 2) + Self.little(kind.bits, 2) + Self.little(0, 4) + Self.little(kind.tag, 4) + guid
    let blockAlign = 4 * kind.bits / 8
    let path = wav(
      format(0xFFFE, channels: 4, bits: kind.bits, blockAlign: blockAlign, extension: tail), dataBytes: 10 * blockAlign)
    let reader = try AudioFileReader.open(path: path)
    #expect(
      reader.format.channelCount == 4 && reader.samplesPerChannel == 10 && reader.warnings.map(\.code) == [.speakers])
  }

  @Test(
    "a wrong block size is read by the other fields, with a warning", .shows("input: telephones"),
    arguments: [0, 1, 2, 3, 7, 40])
  func blockSize(blockAlign: Int) throws {
    let path = wav(format(1, channels: 2, bits: 16, blockAlign: blockAlign), dataBytes: 400)
    let reader = try AudioFileReader.open(path: path)
    #expect(reader.samplesPerChannel == 100 && reader.warnings.map(\.code) == [.length])
    let right = try files.read(wav(format(1, channels: 2, bits: 16, blockAlign: 4), dataBytes: 400))
    #expect(try files.read(wav(format(1, channels: 2, bits: 16, blockAlign: blockAlign), dataBytes: 400)) == right)
  }

  @Test("of floats of 64 bits every other block size is wrong")
  func widest() throws {
    let path = wav(format(3, channels: 1, bits: 64, blockAlign: 9), dataBytes: 80)
    #expect(try AudioFileReader.open(path: path).samplesPerChannel == 10)
  }

  @Test(
    "a block size that the byte rate contradicts is ignored with a warning",
    .enabled(if: isInstalled("sox") && isInstalled("ffmpeg"), "sox or ffmpeg is not installed"), arguments: [6, 8, 16])
  func byteRate(blockAlign: Int) throws {
    var chunk = format(1, channels: 2, bits: 16, blockAlign: 4)
    chunk.replaceSubrange(12..<14, with: Self.little(blockAlign, 2))
    let path = wav(chunk, dataBytes: 480)
    let reader = try AudioFileReader.open(path: path)
    #expect(reader.samplesPerChannel == 120 && reader.warnings.map(\.code) == [.length])
    let ours = try files.read(path)
    let ffmpeg = samples16(try #require(run("ffmpeg", ["-v", "quiet", "-i", path, "-f", "s16le", "-"])))
    #expect(ours[0] == stride(from: 0, to: 240, by: 2).map { ffmpeg[$0] })
    #expect(try soxReads(path, channels: 2) == ours)
  }

  @Test("a block size that could mean wider samples is refused", arguments: [6, 8, 16])
  func ambiguous(blockAlign: Int) throws {
    let path = wav(format(1, channels: 2, bits: 16, blockAlign: blockAlign), dataBytes: 480)
    #expect(throws: AudioFileError(.header(.blockAlign(blockAlign, expected: 4)), path: path)) {
      try AudioFileReader.open(path: path)
    }
  }

  /// A sweep in one of the codecs that work in blocks, 2.03 s long, so that the last block is not full.
  private func sweep(_ codec: String, channels: Int) throws -> String {
    let path = files.path("sweep.wav")
    let sound = ["-R", "-n", "-r", "8000", "-c", "\(channels)", "-e", codec, path]
    _ = try #require(run("sox", sound + ["synth", "2.03", "sine", "300:900", "pinknoise", "gain", "-6"]))
    return path
  }

  /// What sox decodes, to the end of the last block, channel by channel.
  private func soxReads(_ path: String, channels: Int) throws -> [[Float]] {
    let raw = ["-D", path, "-t", "raw", "-e", "signed-integer", "-b", "16", "-"]
    let samples = samples16(try #require(run("sox", raw)))
    return (0..<channels).map { first in stride(from: first, to: samples.count, by: channels).map { samples[$0] } }
  }

  @Test(
    "GSM 6.10 and ADPCM have sox's samples, as many as the fact chunk says",
    .shows("input: telephones"),
    .enabled(if: isInstalled("sox"), "sox is not installed"),
    arguments: [
      ("gsm-full-rate", 1), ("ima-adpcm", 1), ("ima-adpcm", 2), ("ms-adpcm", 1), ("ms-adpcm", 2),
    ])
  func blocks(codec: String, channels: Int) throws {
    let path = try sweep(codec, channels: channels)
    let theirs = try soxReads(path, channels: channels).map { Array($0.prefix(16_240)) }
    let reader = try AudioFileReader.open(path: path)
    #expect(reader.samplesPerChannel == 16_240 && reader.warnings.isEmpty)
    #expect(try files.read(path) == theirs)
    let ends = UnsafeMutablePointer<Int32>.allocate(capacity: 2)
    defer { ends.deallocate() }
    try #require(pipe(ends) == 0)
    // A pipe holds 64 KiB, the file at most 17.
    let bytes = files.bytes(path)
    #expect(Glibc.write(ends[1], bytes, bytes.count) == bytes.count)
    close(ends[1])
    defer { close(ends[0]) }
    let piped = try AudioFileReader.open(descriptor: ends[0])
    var samples = [Float](repeating: 0, count: 20_000 * channels)
    let count = try samples.withUnsafeMutableBufferPointer {
      try piped.read(into: $0.baseAddress!, stride: 20_000, maximumCount: 20_000)
    }
    #expect((0..<channels).map { Array(samples[$0 * 20_000..<$0 * 20_000 + count]) } == theirs)
    #expect(piped.warnings.isEmpty)
  }

  @Test(
    "a truncated GSM or ADPCM file is read to its last whole block",
    .shows("input: telephones"),
    .enabled(if: isInstalled("sox"), "sox is not installed"), arguments: ["gsm-full-rate", "ima-adpcm", "ms-adpcm"])
  func cutBlocks(codec: String) throws {
    let path = try sweep(codec, channels: 1)
    let theirs = try soxReads(path, channels: 1)[0]
    write(files.bytes(path).dropLast(600), to: path)
    let reader = try AudioFileReader.open(path: path)
    #expect(reader.warnings.map(\.code) == [.length])
    let ours = try files.read(path)[0]
    #expect(ours.count > 12_000 && ours.count == reader.samplesPerChannel && ours == Array(theirs.prefix(ours.count)))
  }

  @Test(
    "GSM and ADPCM files are read equally with the shortest header",
    .enabled(if: isInstalled("sox"), "sox is not installed"),
    arguments: [("gsm-full-rate", 16), ("ima-adpcm", 18), ("ms-adpcm", 20)])
  func shortHeaders(codec: String, formatBytes: Int) throws {
    let path = try sweep(codec, channels: 1)
    let theirs = try soxReads(path, channels: 1)
    let bytes = files.bytes(path)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "data".utf8) })
    // Behind RIFF, WAVE, the chunk's name and size; without a fact chunk the last block counts whole.
    var format = Array(bytes[20..<20 + formatBytes])
    if formatBytes == 18 { format[16] = 0 }
    let body = Array("WAVEfmt ".utf8) + Self.little(formatBytes, 4) + format + bytes[place...]
    write(Array("RIFF".utf8) + Self.little(body.count, 4) + body, to: path)
    let reader = try AudioFileReader.open(path: path)
    #expect(reader.warnings.isEmpty && reader.samplesPerChannel == theirs[0].count)
    #expect(try files.read(path) == theirs)
  }
}
