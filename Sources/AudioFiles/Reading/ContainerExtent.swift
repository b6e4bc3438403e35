/// Checks of a file's completeness and of the end of its sound. They serve kinds of files that the decoding library
/// reads as far as they go, without a word, or refuses altogether.
///
/// Source: AIFF 1.3, the AU header of NeXT and Sun, Sony Wave64, RFC 3533 (Ogg), Apple Core Audio Format 1.0.
enum ContainerExtent {
  /// Smallest placeholder size: programs that cannot go back write such sizes, and larger ones, for an unknown length.
  private static let leastPlaceholder: UInt64 = 0x7F00_0000

  /// Returns whether the file ends before its header's promise. FLAC and MP3 show that by themselves, at their end; for
  /// CAF see `soundSize`.
  static func isCutShort(_ input: InputDescriptor, _ container: AudioContainer) -> Bool {
    guard let fileSize = input.fileSize else { return false }
    func number(_ range: Range<Int>) -> UInt64 { input.bytes(range).reduce(0) { $0 << 8 | UInt64($1) } }
    switch container {
    case .aiff: return promises(number(4..<8), 8, than: fileSize)
    case .au: return promises(number(8..<12), number(4..<8), than: fileSize)
    case .w64:
      let size = input.bytes(16..<24).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return size < 1 << 62 && size > UInt64(fileSize) + 7
    case .ogg, .opus: return OggPage.lacksLast(input.bytes(max(0, fileSize - 2 * OggPage.longest)..<fileSize))
    case .wav, .flac, .mp3, .caf, .raw: return false
    }
  }

  /// Returns the size field that a CAF file needs for its sound, if the sound is shorter than its size or has no size.
  /// Without it, the library would read none of the sound.
  static func soundSize(_ input: InputDescriptor) -> (patch: LibraryChannel.Patch, isShort: Bool)? {
    guard let fileSize = input.fileSize else { return nil }
    // Behind the file header stand chunks, each with a name of 4 and a size of 8 bytes.
    var offset = 8
    for _ in 0..<64 {
      let header = input.bytes(offset..<offset + 12)
      guard header.count == 12 else { return nil }
      let size = header[4...].reduce(Int64(0)) { $0 << 8 | Int64($1) }
      let body = offset + 12
      let isData = header[..<4].elementsEqual("data".utf8)
      // -1: to the end of the file, written by programs that cannot go back.
      guard size >= 0 || isData else { return nil }
      let (end, isBeyond) = body.addingReportingOverflow(Int(size))
      if isData {
        guard isBeyond || end > fileSize || size < 0, body <= fileSize else { return nil }
        let present = UInt64(fileSize - body)
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: present >> (56 - 8 * UInt64($0))) }
        return (LibraryChannel.Patch(offset: offset + 4, bytes: bytes), size >= 0)
      }
      guard !isBeyond, end <= fileSize else { return nil }
      offset = end
    }
    return nil
  }

  /// Returns the end of the sound of a W64 file, in bytes from the file's beginning; nil if the file does not say, or
  /// ends before. The library would read the bytes behind it as sound.
  static func soundEnd(_ input: InputDescriptor) -> Int? {
    guard let fileSize = input.fileSize else { return nil }
    // Behind the file header of 40 bytes stand chunks, whose size counts a name of 16 and itself with 8 bytes.
    var offset = 40
    for _ in 0..<WAVHeaderParser.maximumChunks {
      let header = input.bytes(offset..<offset + 24)
      guard header.count == 24 else { return nil }
      let size = header[16...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard size >= 24, size <= UInt64(fileSize - offset) else { return nil }
      if header.starts(with: "data".utf8) { return size == 24 ? nil : offset + Int(size) }
      offset += Int(size + 7) / 8 * 8
    }
    return nil
  }

  /// Returns whether a header promises more bytes than there are. The padding of the last chunk is often missing.
  private static func promises(_ size: UInt64, _ offset: UInt64, than fileSize: Int) -> Bool {
    size < leastPlaceholder && size + offset > UInt64(fileSize) + 1
  }
}
