/// CRC-32 of a page of Ogg: polynomial 0x04C11DB7, without reflection.
///
/// Source: RFC 3533, section 6.
enum OggChecksum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { sum, _ in sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
  }

  /// Returns the checksum of a page with zeros in place of its own.
  static func of(_ page: [UInt8]) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      page.reduce(UInt32(0)) { $0 << 8 ^ table[Int($0 >> 24) ^ Int($1)] }
    }
  }
}
