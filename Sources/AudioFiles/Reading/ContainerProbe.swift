/// Detects the kind of a sound file from its first bytes, and refuses files that must not reach a decoder.
///
/// libsndfile sets its decoder up while it opens a file, so codecs with a history of faults are kept away from it here.
/// Only PCM, float, G.711 and the compressed formats by name pass. Blocks of ADPCM in WAV are a separate case; see
/// `CodedBlocks`.
///
/// Source: ISO 14496-12, RFC 8794, AIFF-C draft of 1991, Apple Core Audio Format 1.0, Sony Wave64, RFC 3533 (Ogg), ISO
/// 11172-3.
struct ContainerProbe {
  /// Bytes that the first look takes.
  static let firstBytes = 96

  private let input: InputDescriptor
  private var bytes = [UInt8](repeating: 0, count: ContainerProbe.firstBytes)

  /// Returns the kind of the regular file behind `input`; its position stays.
  ///
  /// - Throws: `unknownFormat`, `codec`, or `header` for an empty file.
  static func container(of input: InputDescriptor) throws(AudioFileError) -> AudioContainer {
    var probe = ContainerProbe(input: input)
    guard try probe.load(at: input.start) > 0 else { throw AudioFileError(.header(.empty), path: input.path) }
    return try probe.container()
  }

  private init(input: InputDescriptor) { self.input = input }

  /// Fills `bytes` from `offset` on, with zeros after the end.
  ///
  /// - Returns: Count of bytes in the file.
  private mutating func load(at offset: Int) throws(AudioFileError) -> Int {
    let count = try input.peek(&bytes, count: bytes.count, at: offset)
    for index in count..<bytes.count { bytes[index] = 0 }
    return count
  }

  private func has(_ text: String, at offset: Int = 0) -> Bool {
    bytes[offset..<offset + text.utf8.count].elementsEqual(text.utf8)
  }

  private func bigEndian(_ count: Int, at offset: Int) -> UInt64 {
    bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func refuse(_ codec: String) -> AudioFileError { AudioFileError(.codec(codec), path: input.path) }

  private mutating func container() throws(AudioFileError) -> AudioContainer {
    if has("RIFF") || has("RF64") || has("BW64") || has("RIFX") { return .wav }
    if has("fLaC") { return try flac() }
    if has("OggS") { return try ogg() }
    if has("FORM"), has("AIFF", at: 8) || has("AIFC", at: 8) { return try aiff() }
    if has(".snd") { return try au(encoding: bigEndian(4, at: 12)) }
    if has("caff") { return try caf() }
    if has("riff\u{2E}"), bytes[5] == 0x91, bytes[6] == 0xCF, bytes[7] == 0x11 { return try w64() }
    if bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 { throw refuse("AAC (ADTS)") }
    if has("ID3") || isMPEGFrame { return .mp3 }
    if has("ftyp", at: 4) { throw refuse("MPEG-4 audio (m4a, mp4)") }
    if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { throw refuse("Matroska or WebM audio") }
    if bytes.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) { throw refuse("Windows Media Audio") }
    if has("wvpk") { throw refuse("WavPack") }
    // A stream that was begun in mid-frame, or whose beginning was lost.
    let bytes = input.bytes(input.start..<input.start + MPEGFile.searchedBytes)
    if MPEGFrame.streamStart(in: bytes) != nil { return .mp3 }
    throw AudioFileError(.unknownFormat, path: input.path)
  }

  /// STREAMINFO comes first: its bits a sample, less one, are the five from bit 100 on.
  private func flac() throws(AudioFileError) -> AudioContainer {
    let bits = Int(bigEndian(2, at: 20) >> 4 & 0x1F) + 1
    guard bits <= 24 else { throw refuse("FLAC of \(bits) bits a sample (24 at the most)") }
    return .flac
  }

  /// Whether the bytes are a frame header: eleven bits of synchronization, then a version, a layer, a bit rate and a
  /// sample rate that exist.
  private var isMPEGFrame: Bool {
    bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0 && bytes[1] & 0x18 != 0x08 && bytes[1] & 0x06 != 0
      && bytes[2] & 0xF0 != 0xF0 && bytes[2] & 0x0C != 0x0C
  }

  private func ogg() throws(AudioFileError) -> AudioContainer {
    let first = 27 + Int(bytes[26])
    guard first + 8 <= bytes.count else { throw refuse("an unknown Ogg codec") }
    if has("OpusHead", at: first) { return .opus }
    if has("\u{01}vorbis", at: first) { return .ogg }
    // The library finds it, and fails to decode it.
    if has("\u{7F}FLAC", at: first) { throw refuse("FLAC in Ogg") }
    throw refuse(has("Speex", at: first) ? "Speex" : "an unknown Ogg codec")
  }

  private mutating func aiff() throws(AudioFileError) -> AudioContainer {
    guard has("AIFC", at: 8) else { return .aiff }
    var offset = input.start + 12
    for _ in 0..<WAVHeaderParser.maximumChunks {
      guard try load(at: offset) >= 8 else { break }
      let size = Int(bigEndian(4, at: 4))
      if has("COMM") {
        // Channels 2, samples 4, bits 2, rate 10 bytes; then the codec's name.
        let codec = String(decoding: bytes[26..<30], as: UTF8.self)
        let known = ["NONE", "twos", "sowt", "raw ", "in24", "in32", "ni24", "ni32", "42ni", "23ni"]
        let floats = ["fl32", "FL32", "fl64", "FL64", "ulaw", "ULAW", "alaw", "ALAW"]
        guard size >= 22, (known + floats).contains(codec) else { throw refuse("AIFF-C \(codec)") }
        return .aiff
      }
      offset += 8 + size + size % 2
    }
    throw AudioFileError(.decoder("the COMM chunk is missing"), path: input.path)
  }

  private func au(encoding: UInt64) throws(AudioFileError) -> AudioContainer {
    guard (1...7).contains(encoding) || encoding == 27 else { throw refuse("AU encoding \(encoding)") }
    return .au
  }

  private func caf() throws(AudioFileError) -> AudioContainer {
    guard has("desc", at: 8) else {
      throw AudioFileError(.decoder("the desc chunk is missing"), path: input.path)
    }
    guard has("lpcm", at: 28) || has("ulaw", at: 28) || has("alaw", at: 28) else {
      throw refuse("CAF \(String(decoding: bytes[28..<32], as: UTF8.self))")
    }
    return .caf
  }

  private mutating func w64() throws(AudioFileError) -> AudioContainer {
    var offset = input.start + 40
    for _ in 0..<WAVHeaderParser.maximumChunks {
      guard try load(at: offset) >= 24 else { break }
      let size = bytes[16..<24].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if has("fmt ") {
        func tag(at offset: Int) -> UInt16 { UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8 }
        let tag = tag(at: 24) == WAVFormatTag.extensible ? tag(at: 48) : tag(at: 24)
        guard [WAVFormatTag.pcm, WAVFormatTag.float, 6, 7].contains(tag) else {
          throw refuse(WAVFormatTag.name(of: tag))
        }
        return .w64
      }
      guard size >= 24, size < 1 << 40 else { break }
      offset += Int(size + 7) / 8 * 8
    }
    throw AudioFileError(.decoder("the fmt chunk is missing"), path: input.path)
  }
}
