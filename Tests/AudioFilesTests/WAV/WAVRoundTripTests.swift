import AudioFiles
import AudioGraph
import Testing

@Suite(.timeLimit(.minutes(10))) struct WAVRoundTripTests {
  private static let rates = [8_000, 11_025, 22_050, 44_100, 48_000, 192_000]

  @Test(
    "written samples are read back exactly, at every rate and channel count",
    arguments: SampleFormat.allCases, rates)
  func identity(sampleFormat: SampleFormat, rate: Int) throws {
    let folder = ScratchFolder()
    for channels in [1, 2, 3, 8] {
      let format = try AudioFormat(sampleRate: rate, channelCount: channels)
      let samples = exactSamples(
        sampleFormat, channels: channels, count: 5_003, seed: UInt64(rate + channels))
      let path = folder.file("\(channels).wav")
      let writer = try WAVWriter(
        path: path, format: format, options: OutputOptions(sampleFormat: sampleFormat))
      try samples.write(to: writer)
      try writer.finish()
      #expect(writer.clippedSamples == 0)
      let reader = try AudioFileReader.open(path: path)
      #expect(reader.format == format && reader.sampleFormat == sampleFormat && reader.container == .wav)
      #expect(reader.samplesPerChannel == 5_003)
      let isRead = try Planes.read(reader) == samples
      #expect(isRead, "\(sampleFormat) \(rate) Hz, \(channels) channels")
      #expect(reader.warnings.count == (sampleFormat.isExactInFloat32 ? 0 : 1))
    }
  }

  @Test("every 16-bit and every 8-bit value survives", arguments: [SampleFormat.uint8, .int16])
  func everyValue(sampleFormat: SampleFormat) throws {
    let folder = ScratchFolder()
    let bytes =
      sampleFormat == .uint8
      ? (0..<256).map { UInt8($0) } : (0..<65_536).flatMap { WAVBytes.little(UInt64($0), 2) }
    let bits = sampleFormat.bitDepth
    let input = folder.write(
      WAVBytes(chunks: [WAVBytes.format(bits: bits)], data: bytes).bytes, to: "in.wav")
    let samples = try Planes.read(path: input)
    let expected = (0..<1 << bits).map { index -> Float in
      bits == 8 ? Float(index - 128) / 128 : Float(Int16(truncatingIfNeeded: index)) / 32_768
    }
    #expect(samples.channels[0] == expected)
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 1)
    let writer = try WAVWriter(
      path: folder.file("out.wav"), format: format, options: OutputOptions(sampleFormat: sampleFormat))
    try samples.write(to: writer)
    try writer.finish()
    #expect(Array(fileBytes(folder.file("out.wav")).suffix(bytes.count)) == bytes)
  }

  @Test("floats keep every normal value; NaN, infinities and denormals become 0")
  func floats() throws {
    let folder = ScratchFolder()
    let values: [Float] = [1, -1, 0, -0.0, 1e38, .leastNormalMagnitude, 1.5, -7.25e-20]
    let bad: [Float] = [.nan, .infinity, -.infinity, .leastNonzeroMagnitude, -Float(bitPattern: 0x12345)]
    let bytes = (values + bad).flatMap { WAVBytes.little(UInt64($0.bitPattern), 4) }
    let path = folder.write(
      WAVBytes(chunks: [WAVBytes.format(tag: 3, bits: 32)], data: bytes).bytes, to: "in.wav")
    let reader = try AudioFileReader.open(path: path)
    let samples = try Planes.read(reader).channels[0]
    #expect(samples.prefix(values.count).map(\.bitPattern) == values.map(\.bitPattern))
    #expect(samples.suffix(bad.count).allSatisfy { $0 == 0 })
    #expect(reader.nonFiniteSamples == 3)
    #expect(reader.warnings.count == 1 && reader.warnings[0].message.contains("3 samples"))
    #expect(reader.warnings[0].code == .notFinite && reader.warnings[0].position == values.count)
  }

  @Test("32-bit integers and 64-bit floats round to Float32 with a warning")
  func rounded() throws {
    let folder = ScratchFolder()
    let integers: [Int32] = [.max, .min, 0x1234_5678, 0x0100_0001, -0x0100_0003, 1]
    let bytes = integers.flatMap { WAVBytes.little(UInt64(UInt32(bitPattern: $0)), 4) }
    let path = folder.write(WAVBytes(chunks: [WAVBytes.format(bits: 32)], data: bytes).bytes, to: "i.wav")
    let reader = try AudioFileReader.open(path: path)
    #expect(try Planes.read(reader).channels[0] == integers.map { Float(Double($0) / 0x1p31) })
    #expect(reader.warnings.count == 1)
    let doubles = [0.1, -1 / 3.0, 1e-300, 2.5, 1e300]
    let wide = folder.write(
      WAVBytes(
        chunks: [WAVBytes.format(tag: 3, bits: 64)],
        data: doubles.flatMap { WAVBytes.little($0.bitPattern, 8) }
      ).bytes, to: "d.wav")
    let other = try AudioFileReader.open(path: wide)
    #expect(try Planes.read(other).channels[0] == [0.1, -1 / 3.0, 0, 2.5, 0])
    #expect(other.nonFiniteSamples == 1 && other.warnings.count == 2)
  }

  @Test("24 valid bits in 32 are exact and give no warning")
  func validBits() throws {
    let folder = ScratchFolder()
    let format = WAVBytes.format(tag: 0xFFFE, bits: 32, size: 40, validBits: 24)
    let bytes = WAVBytes.little(0x7FFF_FF00, 4)
    let path = folder.write(WAVBytes(chunks: [format], data: bytes).bytes, to: "in.wav")
    let reader = try AudioFileReader.open(path: path)
    #expect(try Planes.read(reader).channels[0] == [Float(0x7F_FFFF) / 0x80_0000])
    #expect(reader.warnings.isEmpty)
  }

  @Test("seeking gives the same samples as reading on", arguments: [SampleFormat.int16, .int24, .float32])
  func seeking(sampleFormat: SampleFormat) throws {
    let folder = ScratchFolder()
    let samples = exactSamples(sampleFormat, channels: 2, count: 5_000, seed: 3)
    let path = folder.file("a.wav")
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 2)
    let writer = try WAVWriter(path: path, format: format, options: OutputOptions(sampleFormat: sampleFormat))
    try samples.write(to: writer)
    try writer.finish()
    let reader = try AudioFileReader.open(path: path)
    for position in [4_999, 0, 1, 2_500, 5_000, 6_000] {
      try reader.seek(to: position)
      #expect(reader.position == min(position, 5_000))
      #expect(try Planes.read(reader) == Planes(samples.channels.map { Array($0[min(position, 5_000)...]) }))
    }
  }
}
