/// Cyclic redundancy check of STUN's fingerprint.
///
/// Source: ITU-T V.42, section 8.1.1.6.2: generator 0x04C11DB7, bits reflected.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320) }
  }

  /// Returns the check of the first `count` bytes.
  static func checksum(_ bytes: Span<UInt8>, count: Int) -> UInt32 {
    var value: UInt32 = .max
    let table = table.span
    for index in 0..<count { value = value >> 8 ^ table[Int((value ^ UInt32(bytes[index])) & 0xFF)] }
    return ~value
  }
}
