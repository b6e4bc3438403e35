import AudioFiles
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct WAVHeaderParserTests {
  private func parse(_ bytes: [UInt8]) -> Result<WAVHeader, WAVHeaderError> {
    do throws(WAVHeaderError) {
      return .success(try WAVHeader.parse(bytes.span))
    } catch {
      return .failure(error)
    }
  }

  private func error(_ format: [UInt8]) -> WAVHeaderError? {
    if case .failure(let error) = parse(WAVBytes(chunks: [format], data: [1, 2, 3, 4]).bytes) {
      return error
    }
    return nil
  }

  @Test("fmt chunks of 16, 18, 20 and 40 bytes are read", arguments: [16, 18, 20, 40])
  func formatSizes(size: Int) throws {
    let file = WAVBytes(
      chunks: [WAVBytes.format(channels: 2, rate: 44_100, bits: 24, size: size)], data: [1, 2, 3, 4, 5, 6])
    let header = try parse(file.bytes).get()
    #expect(header.sampleRate == 44_100 && header.channelCount == 2 && header.sampleFormat == .int24)
    #expect(header.dataOffset == 12 + 8 + size + 8 && header.declaredDataBytes == 6)
    #expect(header.declaredFileBytes == UInt64(file.bytes.count))
  }

  @Test(
    "the extensible format gives sub-format, valid bits and channel mask",
    arguments: [
      (1, 32, 24, SampleFormat.int32), (3, 32, 32, .float32), (3, 64, 64, .float64), (1, 16, 12, .int16),
    ])
  func extensible(subTag: Int, bits: Int, valid: Int, expected: SampleFormat) throws {
    let format = WAVBytes.format(
      tag: 0xFFFE, channels: 6, bits: bits, size: 40, validBits: valid, subTag: UInt16(subTag), mask: 0x3F)
    let header = try parse(WAVBytes(chunks: [format], data: []).bytes).get()
    #expect(header.sampleFormat == expected && header.validBits == valid && header.channelMask == 0x3F)
  }

  @Test("chunks of any size around fmt are skipped, odd ones with their padding")
  func otherChunks() throws {
    let odd = WAVBytes.chunk("LIST", Array("INFOISFT".utf8) + [1, 2, 3])
    let empty = WAVBytes.chunk("JUNK", [])
    let file = WAVBytes(
      chunks: [odd, empty, WAVBytes.format(), odd, WAVBytes.chunk("fact", [1, 0, 0, 0])], data: [7, 8])
    let header = try parse(file.bytes).get()
    #expect(Array(file.bytes[header.dataOffset...]) == [7, 8])
  }

  @Test("RF64 and BW64 take their sizes from ds64", arguments: ["RF64", "BW64"])
  func longSizes(name: String) throws {
    let sizes = WAVBytes.chunk(
      "ds64",
      WAVBytes.little(5_000_000_100, 8) + WAVBytes.little(5_000_000_000, 8) + WAVBytes.little(7, 8) + [
        0, 0, 0, 0,
      ])
    let file = WAVBytes(riff: name, riffSize: .max, chunks: [sizes, WAVBytes.format()], dataSize: .max)
    let header = try parse(file.bytes).get()
    #expect(header.declaredDataBytes == 5_000_000_000 && header.declaredFileBytes == 5_000_000_108)
  }

  @Test("0xFFFFFFFF is an unknown length in RIFF and in an unfinished RF64 file")
  func unknownLength() throws {
    let plain = WAVBytes(riffSize: .max, chunks: [WAVBytes.format()], dataSize: .max)
    #expect(try parse(plain.bytes).get().declaredDataBytes == nil)
    let sizes = WAVBytes.chunk("ds64", [UInt8](repeating: 0, count: 28))
    let long = WAVBytes(riff: "RF64", riffSize: .max, chunks: [sizes, WAVBytes.format()], dataSize: .max)
    #expect(try parse(long.bytes).get().declaredDataBytes == nil)
  }

  @Test("each illegal fmt chunk is its own error")
  func illegalFormats() {
    #expect(error(WAVBytes.format(channels: 0, align: 2)) == .channelCount(0))
    #expect(error(WAVBytes.format(channels: 9)) == .channelCount(9))
    #expect(error(WAVBytes.format(channels: 1_000)) == .channelCount(1_000))
    #expect(error(WAVBytes.format(rate: 0)) == .sampleRate(0))
    #expect(error(WAVBytes.format(rate: 7_999)) == .sampleRate(7_999))
    #expect(error(WAVBytes.format(rate: 192_001)) == .sampleRate(192_001))
    #expect(error(WAVBytes.format(align: 3)) == .blockAlign(3, expected: 2))
    #expect(error(WAVBytes.format(channels: 2, align: 16)) == .blockAlign(16, expected: 4))
    #expect(error(WAVBytes.format(bits: 0)) == .bitsPerSample(0, isFloat: false))
    #expect(error(WAVBytes.format(bits: 4)) == .bitsPerSample(4, isFloat: false))
    #expect(error(WAVBytes.format(bits: 64)) == .bitsPerSample(64, isFloat: false))
    #expect(error(WAVBytes.format(tag: 3, bits: 16)) == .bitsPerSample(16, isFloat: true))
    #expect(error(WAVBytes.format(size: 14)) == .formatSize(14))
    #expect(error(WAVBytes.format(size: 0)) == .formatSize(0))
    #expect(error(WAVBytes.format(size: 17)) == .formatSize(17))
    #expect(error(WAVBytes.format(tag: 0xFFFE, size: 16)) == .extensibleFormatSize(16))
    #expect(error(WAVBytes.format(tag: 0xFFFE, size: 18)) == .extensibleFormatSize(18))
    #expect(error(WAVBytes.format(tag: 0xFFFE, size: 40, guidFault: true)) == .subformat)
    #expect(error(WAVBytes.format(tag: 0xFFFE, size: 40, subTag: 0x10)) == .codec(0x10))
  }

  @Test(
    "a codec that is not read is named with its tag",
    arguments: [
      (0x10, "OKI ADPCM"), (0x14, "G.723 ADPCM"), (0x55, "MP3"), (0x65, "G.722"),
    ])
  func codecs(tag: Int, name: String) {
    let found = error(WAVBytes.format(tag: UInt16(tag), bits: 4, align: 256, size: 20))
    #expect(found == .codec(UInt16(tag)))
    #expect(found?.description.contains(name) == true)
    #expect(
      found?.description.contains("0x00\(tag < 16 ? "0" : "")\(String(tag, radix: 16, uppercase: true))")
        == true)
  }

  @Test(
    "a block size that the codec does not have is refused",
    arguments: [
      (0x02, 1, 7), (0x02, 2, 15), (0x11, 1, 4), (0x11, 1, 10), (0x11, 2, 36), (0x31, 1, 33), (0x31, 2, 65),
      (0x11, 1, 32_768), (0x02, 3, 256),
    ])
  func blockSizes(tag: Int, channels: Int, size: Int) {
    let bits = tag == 0x31 ? 0 : 4
    let found = error(WAVBytes.format(tag: UInt16(tag), channels: channels, bits: bits, align: size, size: 20))
    #expect(found == .blockSize(size, codec: UInt16(tag)))
  }

  @Test("empty, truncated, non-RIFF and non-WAVE files are separate errors")
  func otherFiles() {
    #expect(parse([]) == .failure(.empty))
    #expect(parse(Array("RIF".utf8)) == .failure(.cutShort(3)))
    #expect(parse(Array("a plain text file".utf8)) == .failure(.notRIFF))
    #expect(parse(WAVBytes(form: "AVI ").bytes) == .failure(.notWAVE))
  }

  @Test("a second fmt chunk is accepted only if it repeats the first", .shows("lying headers"))
  func secondFormat() throws {
    let (mono, stereo) = (WAVBytes.format(), WAVBytes.format(channels: 2))
    #expect(try parse(WAVBytes(chunks: [mono, mono], data: [1, 2]).bytes).get().channelCount == 1)
    #expect(parse(WAVBytes(chunks: [mono, stereo], data: [1, 2]).bytes) == .failure(.otherFormat))
  }

  @Test("no fmt, no data and fmt after data are errors")
  func missingChunks() {
    #expect(parse(WAVBytes(data: [1, 2]).bytes) == .failure(.noFormat))
    let whole = WAVBytes(chunks: [WAVBytes.format()], data: [1, 2]).bytes
    #expect(parse(Array(whole.dropLast(10))) == .failure(.noData))
    #expect(parse(Array(whole.prefix(12))) == .failure(.noFormat))
    #expect(parse(WAVBytes(data: [1, 2], tail: WAVBytes.format()).bytes) == .failure(.noFormat))
    let lying = WAVBytes.chunk("LIST", [1, 2], size: 0xFFFF_FFF0)
    #expect(parse(WAVBytes(chunks: [WAVBytes.format(), lying], data: [1, 2]).bytes) == .failure(.noData))
    let many = [[UInt8]](repeating: WAVBytes.chunk("JUNK", []), count: 5_000)
    #expect(
      parse(WAVBytes(chunks: many + [WAVBytes.format()], data: [1, 2]).bytes) == .failure(.tooManyChunks))
  }

  @Test("a header cut anywhere is an error, never a crash", .shows("lying headers"))
  func cutAnywhere() {
    let sizes = WAVBytes.chunk("ds64", [UInt8](repeating: 0, count: 28))
    let format = WAVBytes.format(tag: 0xFFFE, size: 40)
    let whole = WAVBytes(riff: "RF64", chunks: [sizes, WAVBytes.chunk("LIST", [1, 2, 3]), format], data: [])
      .bytes
    for length in 0..<whole.count {
      #expect(throws: WAVHeaderError.self) { try parse(Array(whole.prefix(length))).get() }
    }
    #expect((try? parse(whole).get()) != nil)
  }
}
