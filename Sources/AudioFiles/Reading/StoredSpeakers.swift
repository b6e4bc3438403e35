/// Loudspeakers of a FLAC or W64 file, bit by bit, which the library does not report.
///
/// Source: RFC 9639, sections 8.1 and 8.6.2 (FLAC); Sony Wave64 with mmreg.h (WAVE_FORMAT_EXTENSIBLE).
enum StoredSpeakers {
  /// Returns the loudspeakers; nil if the file does not name them.
  static func mask(_ input: InputDescriptor, _ container: AudioContainer) -> UInt32? {
    switch container {
    case .flac: flac(input)
    case .w64: w64(input)
    default: nil
    }
  }

  private static func flac(_ input: InputDescriptor) -> UInt32? {
    var offset = 4
    for _ in 0..<WAVHeaderParser.maximumChunks {
      let header = input.bytes(offset..<offset + 4)
      guard header.count == 4 else { return nil }
      let size = header[1...].reduce(0) { $0 << 8 | Int($1) }
      if header[0] & 0x7F == 4 { return mask(inComments: input.bytes(offset + 4..<offset + 4 + size)) }
      guard header[0] & 0x80 == 0 else { return nil }
      offset += 4 + size
    }
    return nil
  }

  /// Returns the loudspeakers from a Vorbis comment block: a vendor, a count, then as many fields, each behind its
  /// length.
  private static func mask(inComments bytes: [UInt8]) -> UInt32? {
    func length(at offset: Int) -> Int? {
      offset + 4 <= bytes.count ? bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) } : nil
    }
    let name = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0X"
    guard let vendor = length(at: 0), var count = length(at: 4 + vendor) else { return nil }
    var offset = 8 + vendor
    while count > 0, let size = length(at: offset), offset + 4 + size <= bytes.count {
      let field = String(decoding: bytes[offset + 4..<offset + 4 + size], as: UTF8.self)
      if field.uppercased().hasPrefix(name) { return UInt32(field.dropFirst(name.count), radix: 16) }
      offset += 4 + size
      count -= 1
    }
    return nil
  }

  private static func w64(_ input: InputDescriptor) -> UInt32? {
    var offset = 40
    for _ in 0..<WAVHeaderParser.maximumChunks {
      let chunk = input.bytes(offset..<offset + 48)
      guard chunk.count == 48 else { return nil }
      let size = chunk[16..<24].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if chunk.starts(with: "fmt ".utf8) {
        let isExtensible = chunk[24] == 0xFE && chunk[25] == 0xFF && size >= 64
        return isExtensible ? chunk[44..<48].reversed().reduce(0) { $0 << 8 | UInt32($1) } : nil
      }
      guard size >= 24, size < 1 << 40 else { return nil }
      offset += Int(size + 7) / 8 * 8
    }
    return nil
  }
}
