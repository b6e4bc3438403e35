import AudioFiles
import AudioGraph
import FileTestSupport
import Glibc
import TestSupport
import Testing

/// Files that others wrote, read here, and the other way round.
@Suite(.timeLimit(.minutes(10))) struct OtherProgramsTests {
  private let folder = ScratchFolder()

  /// Interleaved little-endian Float32.
  private func planes(_ bytes: [UInt8], channels: Int) -> Planes {
    let values = (0..<bytes.count / 4).map { index in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[index * 4 + $1]) << (8 * UInt32($1)) })
    }
    return Planes(
      (0..<channels).map { channel in
        Swift.stride(from: channel, to: values.count, by: channels).map { values[$0] }
      })
  }

  private func soxReads(_ path: String) -> [UInt8]? {
    run("sox", [path, "-t", "raw", "-e", "floating-point", "-b", "32", "-"])
  }

  private func ffmpegReads(_ path: String) -> [UInt8]? {
    run("ffmpeg", ["-v", "error", "-i", path, "-f", "f32le", "-c:a", "pcm_f32le", "-"])
  }

  private func write(_ samples: Planes, _ sampleFormat: SampleFormat, rate: Int, to name: String) throws
    -> String
  {
    let format = try AudioFormat(sampleRate: rate, channelCount: samples.channels.count)
    let writer = try WAVWriter(
      path: folder.file(name), format: format, options: OutputOptions(sampleFormat: sampleFormat))
    try samples.write(to: writer)
    try writer.finish()
    return folder.file(name)
  }

  @Test(
    "sox reads our files with equal samples", .enabled(if: isInstalled("sox"), "sox is not installed"),
    arguments: [SampleFormat.uint8, .int16, .int24], [(8_000, 1), (11_025, 2), (44_100, 2), (192_000, 6)])
  func soxReadsOurs(sampleFormat: SampleFormat, shape: (rate: Int, channels: Int)) throws {
    let samples = exactSamples(sampleFormat, channels: shape.channels, count: 3_001, seed: 7)
    let path = try write(samples, sampleFormat, rate: shape.rate, to: "a.wav")
    #expect(planes(try #require(soxReads(path)), channels: shape.channels) == samples)
    #expect(run("soxi", ["-r", path]) == Array("\(shape.rate)\n".utf8))
  }

  @Test(
    "ffmpeg reads our files with equal samples",
    .enabled(if: isInstalled("ffmpeg"), "ffmpeg is not installed"),
    arguments: SampleFormat.allCases, [(8_000, 1), (22_050, 2), (48_000, 2), (192_000, 6)])
  func ffmpegReadsOurs(sampleFormat: SampleFormat, shape: (rate: Int, channels: Int)) throws {
    let samples = exactSamples(sampleFormat, channels: shape.channels, count: 3_001, seed: 7)
    let path = try write(samples, sampleFormat, rate: shape.rate, to: "a.wav")
    #expect(planes(try #require(ffmpegReads(path)), channels: shape.channels) == samples)
  }

  @Test(
    "sox and ffmpeg read a stream of unknown length with equal samples",
    .enabled(if: isInstalled("sox") && isInstalled("ffmpeg"), "sox or ffmpeg is not installed"),
    arguments: [SampleFormat.int16, .int24, .float32])
  func streams(sampleFormat: SampleFormat) throws {
    let samples = exactSamples(sampleFormat, channels: 2, count: 30_001, seed: 7)
    let path = folder.file("a.wav")
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 2)
    let writer = try WAVWriter(
      descriptor: descriptor, format: format, options: OutputOptions(sampleFormat: sampleFormat))
    try samples.write(to: writer)
    try writer.finish()
    close(descriptor)
    #expect(planes(try #require(ffmpegReads(path)), channels: 2) == samples)
    let arguments = ["-t", "wav", "-", "-t", "raw", "-e", "floating-point", "-b", "32", "-"]
    let found = planes(try #require(run("sox", arguments, input: path)), channels: 2)
    // sox keeps 32-bit integers inside, so +-1.0 in a float file comes back a little smaller.
    let difference = zip(found.channels.joined(), samples.channels.joined()).map { abs($0 - $1) }.max() ?? 1
    #expect(found.count == samples.count && difference <= (sampleFormat.isFloat ? 0x1p-23 : 0))
  }

  @Test(
    "a file and a pipe written by sox are read as sox reads them",
    .enabled(if: isInstalled("sox"), "sox is not installed"),
    arguments: [
      ("8", "unsigned-integer"), ("16", "signed-integer"), ("24", "signed-integer"), ("32", "floating-point"),
    ])
  func fromSox(bits: String, encoding: String) throws {
    for (rate, channels) in [(8_000, 1), (44_100, 2)] {
      let sound = ["-D", "-R", "-n", "-r", "\(rate)", "-c", "\(channels)", "-b", bits, "-e", encoding]
      let effects = ["synth", "0.3", "sine", "441", "pinknoise", "gain", "-3"]
      let path = folder.file("sox.wav")
      _ = try #require(run("sox", sound + [path] + effects))
      let expected = planes(try #require(soxReads(path)), channels: channels)
      let found = try AudioFileReader.open(path: path)
      #expect(
        found.sampleFormat.bitDepth == Int(bits) && found.format.sampleRate == rate && found.warnings.isEmpty)
      let samples = try Planes.read(found)
      #expect(samples.count == rate * 3 / 10 && samples == expected)
      let piped = folder.write(
        try #require(run("sox", sound + ["-t", "wav", "-"] + effects)), to: "piped.wav")
      let stream = try AudioFileReader.open(path: piped)
      #expect(try Planes.read(stream) == expected)
      #expect(stream.warnings.isEmpty)
    }
  }

  @Test(
    "a file and a pipe written by ffmpeg are read as ffmpeg reads them",
    .enabled(if: isInstalled("ffmpeg"), "ffmpeg is not installed"),
    arguments: [
      ("pcm_u8", SampleFormat.uint8), ("pcm_s16le", .int16), ("pcm_s24le", .int24), ("pcm_s32le", .int32),
      ("pcm_f32le", .float32), ("pcm_f64le", .float64),
    ])
  func fromFFmpeg(codec: String, sampleFormat: SampleFormat) throws {
    for (rate, channels, extra) in [(11_025, 1, []), (48_000, 2, ["-rf64", "always"]), (96_000, 6, [])] {
      let source = "anoisesrc=r=\(rate):d=0.2:seed=3:a=0.7"
      let sound = ["-v", "error", "-y", "-f", "lavfi", "-i", source, "-ac", "\(channels)", "-c:a", codec]
      let path = folder.file("ffmpeg.wav")
      _ = try #require(run("ffmpeg", sound + extra + ["-f", "wav", path]))
      let expected = planes(try #require(ffmpegReads(path)), channels: channels)
      let reader = try AudioFileReader.open(path: path)
      #expect(reader.sampleFormat == sampleFormat && reader.format.channelCount == channels)
      #expect(reader.warnings.count == (sampleFormat.isExactInFloat32 ? 0 : 1))
      let samples = try Planes.read(reader)
      #expect(samples == expected && samples.count == rate / 5)
      let piped = folder.write(try #require(run("ffmpeg", sound + ["-f", "wav", "-"])), to: "piped.wav")
      let stream = try AudioFileReader.open(path: piped)
      #expect(try Planes.read(stream) == expected)
      #expect(stream.warnings.count == (sampleFormat.isExactInFloat32 ? 0 : 1))
    }
  }

  @Test(
    "ADPCM in a W64 file of ffmpeg's is refused by name",
    .enabled(if: isInstalled("ffmpeg"), "ffmpeg is not installed"))
  func adpcm() throws {
    let path = folder.file("a.w64")
    let sound = ["-v", "error", "-f", "lavfi", "-i", "sine=r=22050:d=0.2", "-c:a", "adpcm_ima_wav", "-f", "w64", path]
    _ = try #require(run("ffmpeg", sound))
    let error = fileError { _ = try AudioFileReader.open(path: path) }
    #expect(error?.category == .badData && error?.description.contains("IMA ADPCM") == true)
  }
}
