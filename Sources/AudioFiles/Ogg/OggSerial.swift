/// The serial number of an Ogg stream, in place of the random one of the library: the same sound gives the same bytes.
///
/// Source: RFC 3533, section 6.
struct OggSerial {
  private let number: UInt32

  /// Derives the number from bytes: the FNV-1a hash of 32 bits.
  init(from bytes: UnsafeRawBufferPointer) {
    number = bytes.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }

  /// Writes the number and the checksum of the page into a page's header; other bytes stay as they are.
  func apply(to bytes: UnsafeMutableRawBufferPointer) {
    guard let page = OggPage(Array(bytes)), bytes.count == 27 + Int(bytes[26]) else { return }
    // The checksum is linear: that of the difference of both numbers, and of as many zeros as bytes follow, is added.
    var change: UInt32 = 0
    for (index, byte) in number.littleEndianBytes.enumerated() {
      change = OggPage.advance(change, by: bytes[14 + index] ^ byte)
      bytes[14 + index] = byte
    }
    for _ in 18..<page.byteCount { change = OggPage.advance(change, by: 0) }
    for (index, byte) in change.littleEndianBytes.enumerated() { bytes[22 + index] ^= byte }
  }
}
