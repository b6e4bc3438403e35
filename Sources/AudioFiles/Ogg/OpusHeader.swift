/// The first page of an Ogg Opus file, which holds its identification header.
///
/// Source: RFC 7845, section 5.1.
struct OpusHeader {
  /// Bytes of a page with this header and the longest channel mapping.
  static let longestPage = OggPage.longestHeader + 21 + 255

  /// Whether the channels are for loudspeakers, in Vorbis's order: families 2 and 3 are ambisonics, 255 says nothing.
  let hasLoudspeakers: Bool
  private let page: [UInt8]
  private let rateOffset: Int

  /// Creates the header from the first page of a file; nil if there is none.
  init?(_ bytes: [UInt8]) {
    guard let page = OggPage(bytes), page.byteCount <= bytes.count else { return nil }
    let body = 27 + Int(bytes[26])
    guard page.byteCount >= body + 19, bytes[body..<body + 8].elementsEqual("OpusHead".utf8) else { return nil }
    hasLoudspeakers = bytes[body + 18] <= 1
    self.page = Array(bytes[..<page.byteCount])
    rateOffset = body + 12
  }

  /// The page with an input sample rate of 48 kHz, the rate of the decoder.
  ///
  /// The field is the rate of the original sound and does not concern decoding; the library would decode at it.
  var pageOf48kHz: [UInt8] {
    var bytes = page
    for (index, byte) in UInt32(48_000).littleEndianBytes.enumerated() { bytes[rateOffset + index] = byte }
    OggPage.sign(&bytes)
    return bytes
  }
}
