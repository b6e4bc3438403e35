/// The header of a page of Ogg.
///
/// Source: RFC 3533.
struct OggPage {
  /// Bytes of a header with 255 lacing values.
  static let longestHeader = 27 + 255
  /// Bytes of the longest page: the longest header and 255 segments of 255 bytes.
  static let longest = longestHeader + 255 * 255

  /// Whether the page is the first of its stream; `ends`: whether it is the last.
  let begins: Bool
  let ends: Bool
  /// Bytes of the header and of the segments behind it.
  let byteCount: Int

  /// Creates the page that begins with the first of the bytes; nil if none does, or its header is not whole.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 27, bytes.starts(with: "OggS".utf8) else { return nil }
    let body = 27 + Int(bytes[26])
    guard body <= bytes.count else { return nil }
    begins = bytes[5] & 0x02 != 0
    ends = bytes[5] & 0x04 != 0
    byteCount = body + bytes[27..<body].reduce(0) { $0 + Int($1) }
  }

  /// Returns whether one of the pages that begin in a file's tail is damaged or ends behind the file's end. Also true
  /// if the last page is not marked as its stream's last. The library takes a file to be as long as its last whole
  /// pages say.
  static func lacksLast(_ tail: [UInt8]) -> Bool {
    let mark = Array("OggS".utf8)
    guard var place = tail.indices.dropLast(3).first(where: { tail[$0..<$0 + 4].elementsEqual(mark) }) else {
      return false
    }
    var ends = false
    while place < tail.count {
      let bytes = tail[place...]
      // Behind a stream's last page any bytes may follow.
      guard let page = OggPage(Array(bytes.prefix(longestHeader))), page.byteCount <= bytes.count else { return !ends }
      let sum = bytes[place + 22..<place + 26].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      if checksum(bytes.prefix(page.byteCount)) != sum { return true }
      ends = page.ends
      place += page.byteCount
    }
    return !ends
  }

  /// Returns the CRC-32 of a page as Ogg defines it, without reflection, its own field taken as 0.
  private static func checksum(_ page: ArraySlice<UInt8>) -> UInt32 {
    var sum: UInt32 = 0
    for (index, byte) in page.enumerated() { sum = advance(sum, by: (22..<26).contains(index) ? 0 : byte) }
    return sum
  }

  /// Returns the checksum of the bytes so far, and one more.
  static func advance(_ sum: UInt32, by byte: UInt8) -> UInt32 {
    var sum = sum ^ UInt32(byte) << 24
    for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    return sum
  }
}
