import DSP

/// Parses a WAV header without any input of its own: it requests bytes step by step, and the caller gives them.
///
/// ```
/// var parser = WAVHeaderParser()
/// loop: while true {
///   switch parser.step {
///   case .read(let count): try parser.consume(the next count bytes)      // at most 40
///   case .skip(let count): pass over count bytes; parser.skipped()
///   case .done(let header): the next byte is the first of the sound
///   }
/// }                          // if the bytes end early: throw parser.errorAtEnd(...)
/// ```
/// Nothing is allocated, and no size field is trusted beyond "pass over so many bytes". Every access is bounds-checked.
package struct WAVHeaderParser {
  /// Next step of the caller.
  package enum Step: Hashable {
    /// Give the parser so many bytes, at most `maximumRead`.
    case read(Int)
    /// Pass over so many bytes.
    case skip(UInt64)
    /// The header is complete.
    case done(WAVHeader)
  }

  /// Largest number of bytes that one step reads.
  package static let maximumRead = 40
  /// Largest number of chunks before the sound.
  package static let maximumChunks = 4096

  private enum Part { case riff, chunk, ds64, format, fact, rest }

  private struct Format: Equatable {
    var sampleRate: Int
    var channelCount: Int
    var sampleFormat: SampleFormat
    var validBits: Int
    var channelMask: UInt32
    var companding: Companding?
    var blocks: CodedBlocks?
    var isAmbisonic: Bool
    var wrongBlockAlign: Int?
  }

  /// Next step of the caller.
  package private(set) var step = Step.read(12)

  private var part = Part.riff
  private var offset: UInt64 = 0
  private var chunks = 0
  private var unread: UInt64 = 0
  private var riffBytes: UInt64 = 0
  private var isRF64 = false
  private var isBigEndian = false
  private var longRIFFBytes: UInt64?
  private var longDataBytes: UInt64?
  private var format: Format?
  private var factSamples: Int?

  package init() {}

  /// Parses the bytes that `step` asked for.
  package mutating func consume(_ bytes: Span<UInt8>) throws(WAVHeaderError) {
    guard case .read(bytes.count) = step else {
      preconditionFailure("give the parser the bytes that it asked for")
    }
    offset += UInt64(bytes.count)
    switch part {
    case .riff:
      try beginFile(bytes)
      want(8, .chunk)
    case .chunk:
      try beginChunk(bytes)
    case .ds64:
      takeLongSizes(bytes)
      skipRest()
    case .format:
      let found = try readFormat(bytes)
      guard format == nil || format == found else { throw .otherFormat }
      format = found
      skipRest()
    case .fact:
      factSamples = Int(bytes.uint32(at: 0, isBigEndian: isBigEndian))
      skipRest()
    case .rest:
      break
    }
  }

  /// Notes that the caller has passed over the bytes of `step`.
  package mutating func skipped() {
    guard case .skip(let count) = step else { preconditionFailure("the parser did not ask to skip") }
    offset += count
    want(8, .chunk)
  }

  /// Returns the error for an end of the input here, `extra` bytes after the last step's.
  package func errorAtEnd(extra: Int) -> WAVHeaderError {
    switch part {
    case .riff: extra == 0 ? .empty : .cutShort(extra)
    case .format, .ds64: .cutShort(Int(offset) + extra)
    case .chunk, .fact, .rest: format == nil ? .noFormat : .noData
    }
  }

  private mutating func want(_ count: Int, _ next: Part) {
    step = .read(count)
    part = next
  }

  /// Passes over the rest of a chunk. Chunks lie at even offsets: a byte of padding follows an odd one.
  private mutating func skipRest() {
    let count = unread
    part = .rest
    if count > 0 { step = .skip(count) } else { want(8, .chunk) }
  }

  private mutating func beginFile(_ bytes: Span<UInt8>) throws(WAVHeaderError) {
    switch bytes.fourCC(at: 0) {
    case "RIFF": isRF64 = false
    case "RF64", "BW64": isRF64 = true
    case "RIFX": (isRF64, isBigEndian) = (false, true)
    default: throw .notRIFF
    }
    guard bytes.fourCC(at: 8) == "WAVE" else { throw .notWAVE }
    riffBytes = UInt64(bytes.uint32(at: 4, isBigEndian: isBigEndian))
  }

  private mutating func beginChunk(_ bytes: Span<UInt8>) throws(WAVHeaderError) {
    chunks += 1
    guard chunks <= Self.maximumChunks else { throw .tooManyChunks }
    let size = UInt64(bytes.uint32(at: 4, isBigEndian: isBigEndian))
    unread = size + size % 2
    switch bytes.fourCC(at: 0) {
    case "data":
      step = .done(try header(dataBytes: size))
    case "fmt ":
      guard size == 16 || (18...65_536).contains(size) else { throw .formatSize(Int(size)) }
      let count = min(unread, UInt64(Self.maximumRead))
      unread -= count
      want(Int(count), .format)
    case "fact" where format?.blocks != nil && size >= 4:
      unread -= 4
      want(4, .fact)
    case "ds64" where isRF64 && size >= 24:
      unread -= 24
      want(24, .ds64)
    default:
      skipRest()
    }
  }

  private mutating func takeLongSizes(_ bytes: Span<UInt8>) {
    longRIFFBytes = bytes.uint64(at: 0)
    longDataBytes = bytes.uint64(at: 8)
  }

  private func header(dataBytes: UInt64) throws(WAVHeaderError) -> WAVHeader {
    guard let format else { throw .noFormat }
    let unknown = UInt64(UInt32.max)
    var data: UInt64? = dataBytes
    var file: UInt64? = riffBytes == unknown ? nil : riffBytes + 8
    if dataBytes == unknown {
      // A writer that was stopped before it knew leaves 0 or all ones in ds64.
      data = isRF64 ? longDataBytes.flatMap { $0 == 0 || $0 == .max ? nil : $0 } : nil
    }
    if riffBytes == unknown, isRF64 { file = longRIFFBytes.flatMap { $0 > .max - 8 ? nil : $0 + 8 } }
    return WAVHeader(
      sampleRate: format.sampleRate, channelCount: format.channelCount, sampleFormat: format.sampleFormat,
      companding: format.companding, blocks: format.blocks, factSamples: factSamples, isBigEndian: isBigEndian,
      isAmbisonic: format.isAmbisonic,
      wrongBlockAlign: format.wrongBlockAlign, validBits: format.validBits, channelMask: format.channelMask,
      dataOffset: Int(offset),
      declaredDataBytes: data, declaredFileBytes: file)
  }

  private func readFormat(_ bytes: Span<UInt8>) throws(WAVHeaderError) -> Format {
    func uint16(_ offset: Int) -> UInt16 { bytes.uint16(at: offset, isBigEndian: isBigEndian) }
    func uint32(_ offset: Int) -> UInt32 { bytes.uint32(at: offset, isBigEndian: isBigEndian) }
    var tag = uint16(0)
    let bits = Int(uint16(14))
    var validBits = bits
    var channelMask: UInt32 = 0
    var isAmbisonic = false
    if tag == WAVFormatTag.extensible {
      guard bytes.count >= 40 else { throw .extensibleFormatSize(bytes.count) }
      // The GUID's first number is of 32 bits; sox has the tag in its first half in RIFX, too.
      let isSecondHalf = isBigEndian && uint16(24) == 0
      tag = uint16(isSecondHalf ? 26 : 24)
      guard uint16(isSecondHalf ? 24 : 26) == 0 else { throw .subformat }
      isAmbisonic = try isAmbisonicTail(bytes)
      let valid = Int(uint16(18))
      if valid > 0, valid <= bits { validBits = valid }
      channelMask = isAmbisonic ? 0 : uint32(20)
    }
    let companding: Companding? = tag == WAVFormatTag.aLaw ? .aLaw : tag == WAVFormatTag.muLaw ? .muLaw : nil
    // No program writes blocks of these codecs in RIFX.
    let isCodedInBlocks = CodedBlocks.isKnown(tag) && !isBigEndian
    guard tag == WAVFormatTag.pcm || tag == WAVFormatTag.float || companding != nil || isCodedInBlocks else {
      throw .codec(tag)
    }
    let channelCount = Int(uint16(2))
    guard (1...8).contains(channelCount) else { throw .channelCount(channelCount) }
    let sampleRate = Int(uint32(4))
    guard (8_000...192_000).contains(sampleRate) else { throw .sampleRate(sampleRate) }
    var format = Format(
      sampleRate: sampleRate, channelCount: channelCount, sampleFormat: .int16, validBits: validBits,
      channelMask: channelMask, companding: companding, isAmbisonic: isAmbisonic)
    if isCodedInBlocks {
      // IMA ADPCM also exists with 3 bits a sample, which no program reads.
      guard tag == WAVFormatTag.gsm610 || bits == 4 else { throw .codec(tag) }
      let size = Int(uint16(12))
      format.blocks = CodedBlocks(tag: tag, channelCount: channelCount, bytes: size)
      guard format.blocks != nil else { throw .blockSize(size, codec: tag) }
      format.validBits = 16
      return format
    }
    if companding == nil {
      format.sampleFormat = try Self.sampleFormat(bits: bits, isFloat: tag == WAVFormatTag.float)
    } else {
      format.validBits = 16
    }
    let blockAlign = Int(uint16(12))
    let bytesPerSample = companding == nil ? format.sampleFormat.bytesPerSample : 1
    let expected = channelCount * bytesPerSample
    if blockAlign != expected {
      // A larger container for each sample would be another reading, unless the bytes a second rule it out; the same
      // holds for bits that do not fill bytes.
      let (stored, rest) = blockAlign.quotientAndRemainder(dividingBy: channelCount)
      let isOtherReading =
        rest == 0 && stored > bytesPerSample && stored <= 8 && Int(uint32(8)) != sampleRate * expected
      guard !isOtherReading, bits % 8 == 0 else { throw .blockAlign(blockAlign, expected: expected) }
      format.wrongBlockAlign = blockAlign
    }
    return format
  }

  /// Returns whether the sub-format's GUID, behind its first four bytes, is that of ambisonics in B-format.
  ///
  /// Source: the sub-formats AMBISONIC_B_FORMAT_PCM and _IEEE_FLOAT of Richard Dobson's WAVE-EX files (.amb).
  private func isAmbisonicTail(_ bytes: Span<UInt8>) throws(WAVHeaderError) -> Bool {
    // Its second and third number are of 16 bits, which sox leaves little-endian.
    func isTail(_ expected: borrowing [12 of UInt8], isSwapped: Bool) -> Bool {
      for index in 0..<12 {
        let place = isSwapped && index < 4 ? index ^ 1 : index
        if bytes[28 + place] != expected[index] { return false }
      }
      return true
    }
    for isSwapped in isBigEndian ? [false, true] : [false] {
      if isTail(WAVFormatTag.guidTail, isSwapped: isSwapped) { return false }
      if isTail(WAVFormatTag.ambisonicTail, isSwapped: isSwapped) { return true }
    }
    throw .subformat
  }

  /// Returns the format of samples with `bits` bits. PCM of 9 to 15 or 17 to 23 bits lies left-justified in the next
  /// whole byte, so it reads as that.
  private static func sampleFormat(bits: Int, isFloat: Bool) throws(WAVHeaderError) -> SampleFormat {
    switch (bits, isFloat) {
    case (8, false): .uint8
    case (9...16, false): .int16
    case (17...24, false): .int24
    case (25...32, false): .int32
    case (32, true): .float32
    case (64, true): .float64
    default: throw .bitsPerSample(bits, isFloat: isFloat)
    }
  }
}

extension WAVHeader {
  /// Returns the header at the beginning of `bytes`, which hold a whole file or at least all before its sound.
  package static func parse(_ bytes: Span<UInt8>) throws(WAVHeaderError) -> WAVHeader {
    var parser = WAVHeaderParser()
    var position = 0
    while true {
      let left = bytes.count - position
      switch parser.step {
      case .read(let count):
        guard count <= left else { throw parser.errorAtEnd(extra: left) }
        try parser.consume(bytes.extracting(position..<position + count))
        position += count
      case .skip(let count):
        guard count <= UInt64(left) else { throw parser.errorAtEnd(extra: left) }
        parser.skipped()
        position += Int(count)
      case .done(let header):
        return header
      }
    }
  }
}
