/// The blocks of a WAV file that is coded block by block, as telephone systems write it.
///
/// Source: RFC 2361; Microsoft's "New Multimedia Data Types and Data Techniques" of 1994 for the sizes.
package struct CodedBlocks: Hashable, Sendable {
  /// GSM 6.10, IMA ADPCM or Microsoft ADPCM, as a `WAVFormatTag`.
  package let tag: UInt16
  /// Bytes of one block of all channels.
  package let bytes: Int
  /// Samples of each channel that one block holds.
  package let samples: Int

  /// Largest block that is read, in bytes: more than four times the largest that Windows' codecs write.
  private static let longestBlock = 16_384

  /// Returns whether a tag stands for one of the codecs.
  package static func isKnown(_ tag: UInt16) -> Bool {
    [WAVFormatTag.gsm610, WAVFormatTag.imaADPCM, WAVFormatTag.msADPCM].contains(tag)
  }

  /// Creates a description of blocks; nil if the codec has no blocks of that size.
  package init?(tag: UInt16, channelCount: Int, bytes: Int) {
    guard bytes <= Self.longestBlock else { return nil }
    switch tag {
    case WAVFormatTag.gsm610:
      guard channelCount == 1, bytes == 65 else { return nil }
      samples = 320
    case WAVFormatTag.imaADPCM:
      // A header of 4 bytes for each channel with its first sample, then 8 samples in 4 bytes of each in turn.
      let header = 4 * channelCount
      guard channelCount <= 2, bytes >= 2 * header, bytes % header == 0 else { return nil }
      samples = (bytes - header) * 2 / channelCount + 1
    case WAVFormatTag.msADPCM:
      // A header of 7 bytes for each channel with its first two samples, then half a byte for each sample.
      let header = 7 * channelCount
      guard channelCount <= 2, bytes > header, (bytes - header) % channelCount == 0 else { return nil }
      samples = (bytes - header) * 2 / channelCount + 2
    default: return nil
    }
    self.tag = tag
    self.bytes = bytes
  }

  /// Bytes of `header` without a fact chunk.
  var headerBytes: Int { header(sampleRate: 8_000, channelCount: 1, dataBytes: 0).count }

  /// Returns a header of a WAV file with the blocks behind it and only the chunks that the decoder needs.
  ///
  /// libsndfile sees this header instead of the file's own, so that it never parses a header of unknown origin.
  func header(sampleRate: Int, channelCount: Int, factSamples: Int? = nil, dataBytes: UInt32) -> [UInt8] {
    // The predictors of Microsoft's codec are the same in every file.
    let predictors: [Int16] = [256, 0, 512, -256, 0, 0, 192, 64, 240, 0, 460, -208, 392, -232]
    var extra = UInt16(samples).littleEndianBytes
    if tag == WAVFormatTag.msADPCM { extra += UInt16(7).littleEndianBytes + predictors.flatMap(\.littleEndianBytes) }
    var chunk = tag.littleEndianBytes + UInt16(channelCount).littleEndianBytes + UInt32(sampleRate).littleEndianBytes
    chunk += UInt32(sampleRate * bytes / samples).littleEndianBytes + UInt16(bytes).littleEndianBytes
    chunk += UInt16(tag == WAVFormatTag.gsm610 ? 0 : 4).littleEndianBytes
    chunk += UInt16(extra.count).littleEndianBytes + extra
    var rest = Array("WAVEfmt ".utf8) + UInt32(chunk.count).littleEndianBytes + chunk
    if let factSamples {
      rest += Array("fact".utf8) + UInt32(4).littleEndianBytes + UInt32(clamping: factSamples).littleEndianBytes
    }
    rest += Array("data".utf8) + dataBytes.littleEndianBytes
    let fileBytes = UInt32(clamping: UInt64(rest.count) + UInt64(dataBytes))
    return Array("RIFF".utf8) + fileBytes.littleEndianBytes + rest
  }
}
