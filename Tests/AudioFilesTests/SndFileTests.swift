import AudioFiles
import AudioGraph
import Glibc
import Testing

@Suite(.timeLimit(.minutes(10))) struct SndFileTests {
  private let folder = ScratchFolder()

  private func write(
    _ samples: Planes, to name: String, rate: Int = 48_000, _ options: OutputOptions
  ) throws -> String {
    let format = try AudioFormat(sampleRate: rate, channelCount: samples.channels.count)
    let writer = try AudioFileOutput.create(path: folder.file(name), format: format, options: options)
    #expect(access(folder.file(name) + ".part", F_OK) == 0)
    try samples.write(to: writer)
    try writer.finish()
    #expect(access(folder.file(name) + ".part", F_OK) != 0)
    return folder.file(name)
  }

  @Test(
    "lossless kinds return exactly the samples that were written",
    arguments: ["flac", "aiff", "au", "caf", "w64"], [SampleFormat.uint8, .int16, .int24, .float32])
  func lossless(kind: String, sampleFormat: SampleFormat) throws {
    for (rate, channels) in [(8_000, 1), (44_100, 2), (192_000, 2)] {
      // FLAC has no floats: they become 24 bits, which the samples here fit. AIFF keeps 8 bits in 16.
      var stored = sampleFormat
      if kind == "flac", sampleFormat == .float32 { stored = .int24 }
      if kind == "aiff", sampleFormat == .uint8 { stored = .int16 }
      let samples = exactSamples(sampleFormat, channels: channels, count: 30_001, seed: 11)
      let path = try write(
        samples, to: "\(rate).\(kind)", rate: rate, OutputOptions(sampleFormat: sampleFormat))
      let reader = try AudioFileReader.open(path: path)
      #expect(reader.container.rawValue == kind && reader.format.sampleRate == rate)
      #expect(reader.sampleFormat == stored)
      #expect(reader.samplesPerChannel == 30_001)
      let isEqual = try Planes.read(reader) == samples
      #expect(isEqual && reader.warnings.isEmpty)
    }
  }

  @Test(
    "lossy kinds keep a sound's length, and its tone 20 dB above the error",
    arguments: ["ogg", "opus", "mp3"])
  func lossy(kind: String) throws {
    let tone = (0..<48_000).map { 0.5 * sinf(Float($0) * 2 * .pi * 440 / 48_000) }
    let path = try write(Planes([tone, tone]), to: "a.\(kind)", OutputOptions(sampleFormat: .int16))
    let reader = try AudioFileReader.open(path: path)
    #expect(reader.container.rawValue == kind && reader.format.channelCount == 2)
    let found = try Planes.read(reader).channels[0]
    #expect(abs(found.count - 48_000) <= 3_000)
    // Projection on sine and cosine of the middle half second, whatever the delay.
    let middle = found[12_000..<36_000]
    var (sine, cosine, power) = (0.0, 0.0, 0.0)
    for index in middle.indices {
      let phase = Double(index) * 2 * .pi * 440 / 48_000
      sine += Double(found[index]) * sin(phase) / 12_000
      cosine += Double(found[index]) * cos(phase) / 12_000
      power += Double(found[index]) * Double(found[index]) / 24_000
    }
    let tonePower = (sine * sine + cosine * cosine) / 2
    #expect(abs(tonePower - 0.125) < 0.01 && tonePower > 100 * abs(power - tonePower))
  }

  @Test("a compressed file is sought to the sample", arguments: ["flac", "caf"])
  func seeking(kind: String) throws {
    let samples = exactSamples(.int16, channels: 2, count: 20_000, seed: 2)
    let reader = try AudioFileReader.open(
      path: try write(samples, to: "a.\(kind)", OutputOptions(sampleFormat: .int16)))
    for position in [19_999, 0, 4_097] {
      try reader.seek(to: position)
      #expect(try Planes.read(reader) == Planes(samples.channels.map { Array($0[position...]) }))
    }
  }

  @Test("8 and 16 bits are dithered as in a WAV file", arguments: [SampleFormat.uint8, .int16])
  func dither(sampleFormat: SampleFormat) throws {
    let quiet = Planes([[Float](repeating: 0.3 / 32_768, count: 9_000)])
    let options = OutputOptions(sampleFormat: sampleFormat, ditherSeed: 5)
    let first = try Planes.read(path: try write(quiet, to: "a.flac", options))
    #expect(try first == Planes.read(path: try write(quiet, to: "a.wav", options)))
    #expect(Set(first.channels[0]).count > 1)
  }

  @Test("an impossible output is a usage error and keeps the existing file")
  func impossible() throws {
    _ = folder.write([1, 2, 3], to: "a.opus")
    let options = OutputOptions(sampleFormat: .int16, placement: .inPlace, overwrite: true)
    let error = fileError {
      _ = try AudioFileOutput.create(
        path: folder.file("a.opus"), format: try AudioFormat(sampleRate: 44_100, channelCount: 2),
        options: options)
    }
    #expect(error?.category == .usage && error?.description.contains("48000") == true)
    #expect(fileBytes(folder.file("a.opus")) == [1, 2, 3])
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 2)
    for name in ["a.xyz", "a", "wav", ".flac."] {
      let error = fileError {
        _ = try AudioFileOutput.create(path: folder.file(name), format: format, options: options)
      }
      #expect(error?.category == .usage, "\(name)")
    }
  }

  @Test(
    "a compressed file without samples is an error and leaves no file",
    arguments: [AudioContainer.flac, .ogg, .opus, .mp3])
  func noSound(kind: AudioContainer) throws {
    let path = folder.file("a")
    let writer = try SndFileWriter(
      path: path, container: kind, format: AudioFormat(sampleRate: 48_000, channelCount: 2),
      options: OutputOptions(sampleFormat: .int16))
    let error = fileError { try writer.finish() }
    #expect(error?.reason == .noSound(kind.rawValue) && error?.category == .badData)
    #expect(access(path, F_OK) != 0 && access(path + ".part", F_OK) != 0)
  }

  @Test("a full disk is a typed error", arguments: [AudioContainer.flac, .aiff, .ogg])
  func diskFull(kind: AudioContainer) throws {
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 2)
    let samples = exactSamples(.int16, channels: 2, count: 100_000, seed: 2)
    let error = fileError {
      let writer = try SndFileWriter(
        path: self.folder.file("a"), container: kind, format: format,
        options: OutputOptions(sampleFormat: .int16), faults: OutputFaults(capacity: 20_000))
      defer { writer.abandon() }
      try samples.write(to: writer)
      try writer.finish()
    }
    #expect(error?.isDiskFull == true && error?.category == .inputOutput)
    #expect(access(folder.file("a"), F_OK) != 0)
  }

  @Test("codecs with a history of faults are refused before decoding")
  func refused() {
    let big = { (value: Int, count: Int) in WAVBytes.little(UInt64(value), count).reversed() as [UInt8] }
    let au = Array(".snd".utf8) + big(24, 4) + big(100, 4) + big(23, 4) + big(48_000, 4) + big(1, 4)
    let caf =
      Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(32, 8) + big(0, 8) + Array("ima4".utf8)
    let common = big(1, 2) + big(10, 4) + big(16, 2) + [UInt8](repeating: 0, count: 10) + Array("ima4".utf8)
    let aiff =
      Array("FORM".utf8) + big(100, 4) + Array("AIFCFVER".utf8) + big(4, 4) + big(0, 4) + Array("COMM".utf8)
      + big(common.count, 4) + common
    let ogg = Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [1, 80] + Array("Speex   1.2".utf8)
    for (bytes, name) in [(au, "AU encoding 23"), (caf, "CAF ima4"), (aiff, "AIFF-C ima4"), (ogg, "Speex")] {
      let path = folder.write(bytes + [UInt8](repeating: 0, count: 200), to: "bad")
      let error = fileError { _ = try AudioFileReader.open(path: path) }
      #expect(error?.reason == .codec(name) && error?.category == .badData)
    }
  }

  @Test(
    "a file with a true beginning and nothing behind it is bad data",
    arguments: ["fLaC", "FORM....AIFF", "caff....desc", "ID3....", ".snd...."])
  func damaged(beginning: String) {
    let path = folder.write(Array(beginning.utf8) + [UInt8](repeating: 1, count: 300), to: "bad")
    #expect(fileError { _ = try AudioFileReader.open(path: path) }?.category == .badData)
  }
}
