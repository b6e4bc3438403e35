import AudioFiles
import Testing

@Suite(.timeLimit(.minutes(10))) struct WAVExtentTests {
  /// Mono, 16 bit.
  private func header(data: UInt32, riff: UInt32 = 0) throws -> WAVHeader {
    let file = WAVBytes(riffSize: riff, chunks: [WAVBytes.format()], dataSize: data)
    return try WAVHeader.parse(file.bytes.span)
  }

  @Test("a size that is true is taken, whatever follows the sound")
  func truth() throws {
    #expect(try header(data: 10).extent(available: 10) == WAVExtent(samplesPerChannel: 5))
    #expect(try header(data: 10).extent(available: 50) == WAVExtent(samplesPerChannel: 5))
    #expect(try header(data: 10).extent(available: nil) == WAVExtent(samplesPerChannel: 5))
  }

  @Test("an unknown size is read to the end without a warning", arguments: [UInt32.max, 0x7FFF_F000])
  func unknown(size: UInt32) throws {
    #expect(try header(data: size).extent(available: 10) == WAVExtent(samplesPerChannel: 5))
    #expect(try header(data: size).extent(available: 0) == WAVExtent(samplesPerChannel: 0))
    #expect(try header(data: size).extent(available: nil) == WAVExtent())
  }

  @Test("an incomplete last sample is reported if the end of the sound is known")
  func remainder() throws {
    #expect(try header(data: 11).extent(available: 12) == WAVExtent(samplesPerChannel: 5, remainder: 1))
    #expect(try header(data: 11).extent(available: nil) == WAVExtent(samplesPerChannel: 5, remainder: 1))
    #expect(try header(data: .max).extent(available: 11) == WAVExtent(samplesPerChannel: 5, remainder: 1))
    #expect(try header(data: 0x7FFF_F000).extent(available: 11) == WAVExtent(samplesPerChannel: 5, remainder: 1))
  }

  @Test("a size of 0 is an empty file, a stream, or a writer that was stopped")
  func zero() throws {
    #expect(try header(data: 0, riff: 36).extent(available: 0) == WAVExtent(samplesPerChannel: 0))
    #expect(try header(data: 0).extent(available: nil) == WAVExtent())
    #expect(try header(data: 0).extent(available: nil, isFollowedByChunks: true) == WAVExtent(samplesPerChannel: 0))
    #expect(
      try header(data: 0, riff: 36).extent(available: 100)
        == WAVExtent(samplesPerChannel: 50, doubt: .unfinished(100)))
    #expect(
      try header(data: 0).extent(available: 100, isFollowedByChunks: true) == WAVExtent(samplesPerChannel: 0))
  }

  @Test("a size that is too large is read to the end with a warning")
  func tooLarge() throws {
    #expect(
      try header(data: 5_000).extent(available: 100)
        == WAVExtent(samplesPerChannel: 50, doubt: .cutShort(promised: 5_000, found: 100)))
    #expect(
      try header(data: 0xFFFF_FFF0).extent(available: 3)
        == WAVExtent(samplesPerChannel: 1, doubt: .cutShort(promised: 0xFFFF_FFF0, found: 3)))
    let empty = try header(data: 5_000)
    #expect(throws: WAVHeaderError.noSamples(promised: 5_000)) { try empty.extent(available: 1) }
  }

  @Test("a size of less than one sample is an empty sound, in file and pipe")
  func partOfSample() throws {
    let header = try header(data: 1)
    let pipe = try header.extent(available: nil)
    #expect(pipe.samplesPerChannel == 0 && pipe.doubt == nil)
    for available in [0, 1, 100] { #expect(try header.extent(available: available) == pipe) }
  }
}
