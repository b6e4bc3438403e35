/// The identification header of an Ogg Opus file, in its first page.
///
/// Source: RFC 7845, section 5.1.
enum OpusHeader {
  /// Bytes of a page with this header and the longest channel mapping.
  static let longestPage = OggPage.longestHeader + 21 + 255

  /// Returns whether the channels are for loudspeakers, in Vorbis's order: families 2 and 3 are ambisonics, 255 says
  /// nothing.
  static func hasLoudspeakers(_ bytes: [UInt8]) -> Bool {
    guard let page = OggPage(bytes), page.byteCount <= bytes.count else { return false }
    let body = 27 + Int(bytes[26])
    guard page.byteCount >= body + 19, bytes[body..<body + 8].elementsEqual("OpusHead".utf8) else { return false }
    return bytes[body + 18] <= 1
  }
}
