import AudioGraph

/// The bytes before the sound of a WAV file that is being written, and their changes as it grows.
///
/// ```
/// seekable  RIFF size WAVE │ JUNK 28 bytes │ fmt │ (fact) │ (bext) │ data size      up to 4 GiB
///           RF64 -1   WAVE │ ds64 sizes    │ fmt │ (fact) │ (bext) │ data -1        beyond: same bytes, other words
/// pipe      RIFF -1   WAVE │ fmt │ (fact) │ data -1                          without a bext chunk
/// ```
/// Source: EBU Tech 3306 (the JUNK chunk that becomes ds64), mmreg.h (when WAVE_FORMAT_EXTENSIBLE is due, `fact`).
struct WAVHeaderImage {
  /// Bytes of the whole header.
  var count: Int { bytes.count }

  /// Bytes of the longest header: RIFF, JUNK, an extensible format, fact and data.
  static let longestCount = 12 + 36 + 48 + 12 + 8

  private var bytes: [UInt8] = []
  private var factOffset: Int?
  private let isStream: Bool
  private let blockAlign: Int
  private let sizeLimit: UInt64

  /// Creates a header for such samples.
  ///
  /// - Parameters:
  ///   - format: Sample rate and channels.
  ///   - sampleFormat: Stored format of the samples.
  ///   - speakers: Loudspeakers of the channels, bit by bit; 0 for the usual ones.
  ///   - info: A whole chunk of tags; empty for none.
  ///   - isStream: Whether the file is a stream, with an unknown length.
  ///   - sizeLimit: Largest size that fits the 32-bit fields; beyond it the file becomes RF64.
  init(
    format: AudioFormat, sampleFormat: SampleFormat, speakers: UInt32 = 0, info: [UInt8] = [], isStream: Bool,
    sizeLimit: UInt64 = 0xFFFF_FFFE
  ) {
    self.isStream = isStream
    self.sizeLimit = sizeLimit
    blockAlign = format.channelCount * sampleFormat.bytesPerSample
    var image = [UInt8]()
    func put(_ text: StaticString) {
      image.append(contentsOf: FourCC(stringLiteral: text).value.littleEndianBytes)
    }
    put("RIFF")
    image.append(contentsOf: UInt32.max.littleEndianBytes)
    put("WAVE")
    if !isStream {
      put("JUNK")
      image.append(contentsOf: UInt32(28).littleEndianBytes)
      image.append(contentsOf: [UInt8](repeating: 0, count: 28))
    }
    put("fmt ")
    let chunk = Self.formatChunk(format, sampleFormat, speakers)
    image.append(contentsOf: UInt32(chunk.count).littleEndianBytes)
    image.append(contentsOf: chunk)
    if sampleFormat.isFloat {
      put("fact")
      image.append(contentsOf: UInt32(4).littleEndianBytes)
      factOffset = image.count
      image.append(contentsOf: UInt32.max.littleEndianBytes)
    }
    image += info
    put("data")
    image.append(contentsOf: UInt32.max.littleEndianBytes)
    bytes = image
    if !isStream { update(dataBytes: 0) }
  }

  /// Calls `body` with the header's bytes.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { bytes.withUnsafeBytes(body) }

  /// Inserts a whole chunk before the sound, before the first sample. Not into a stream's header.
  mutating func insert(_ chunk: [UInt8]) {
    bytes.insert(contentsOf: chunk, at: count - 8)
    update(dataBytes: 0)
  }

  /// Makes the header say that `dataBytes` bytes of sound follow, with a byte of padding if the count is odd.
  ///
  /// No allocation.
  mutating func update(dataBytes: Int) {
    let data = UInt64(dataBytes)
    let riff = UInt64(count - 8) + data + data % 2
    let samples = data / UInt64(blockAlign)
    let isLong = riff > sizeLimit
    store(isLong ? "RF64" : "RIFF", at: 0)
    store(isLong ? UInt32.max : UInt32(riff), at: 4)
    store(isLong ? "ds64" : "JUNK", at: 12)
    store(isLong ? riff : 0, at: 20)
    store(isLong ? data : 0, at: 28)
    store(isLong ? samples : 0, at: 36)
    if let factOffset { store(isLong ? UInt32.max : UInt32(samples), at: factOffset) }
    store(isLong ? UInt32.max : UInt32(data), at: count - 4)
  }

  private mutating func store<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
    for index in 0..<MemoryLayout<Number>.size {
      bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * Number(index)))
    }
  }

  private mutating func store(_ name: FourCC, at offset: Int) { store(name.value, at: offset) }

  private static func formatChunk(_ format: AudioFormat, _ sampleFormat: SampleFormat, _ speakers: UInt32) -> [UInt8] {
    let tag = sampleFormat.isFloat ? WAVFormatTag.float : WAVFormatTag.pcm
    let usual = Downmix.usualSpeakers(format.channelCount)
    let isExtensible =
      format.channelCount > 2 || (!sampleFormat.isFloat && sampleFormat.bitDepth > 16)
      || (speakers != 0 && speakers != usual)
    let blockAlign = format.channelCount * sampleFormat.bytesPerSample
    var chunk = [UInt8]()
    chunk += (isExtensible ? WAVFormatTag.extensible : tag).littleEndianBytes
    chunk += UInt16(format.channelCount).littleEndianBytes
    chunk += UInt32(format.sampleRate).littleEndianBytes
    chunk += UInt32(format.sampleRate * blockAlign).littleEndianBytes
    chunk += UInt16(blockAlign).littleEndianBytes
    chunk += UInt16(sampleFormat.bitDepth).littleEndianBytes
    guard isExtensible || sampleFormat.isFloat else { return chunk }
    chunk += UInt16(isExtensible ? 22 : 0).littleEndianBytes
    guard isExtensible else { return chunk }
    chunk += UInt16(sampleFormat.bitDepth).littleEndianBytes
    chunk += (speakers == 0 ? usual : speakers).littleEndianBytes
    chunk += UInt32(tag).littleEndianBytes
    for index in 0..<12 { chunk.append(WAVFormatTag.guidTail[index]) }
    return chunk
  }
}
