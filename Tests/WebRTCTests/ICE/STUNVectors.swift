/// Messages of RFC 5769, sections 2.1 to 2.3, whose padding is not 0.
enum STUNVectors {
  static let password = "VOkJxbRl1RmTxUk/WvJxBt"

  /// A request of `evtj:h6vY` with priority 0x6E0001FF and ICE-CONTROLLED.
  static let request: [UInt8] = bytes(
    "0001 0058 2112a442 b7e7a701 bc34d686 fa87dfae 8022 0010 5354554e 20746573 7420636c 69656e74"
      + "0024 0004 6e0001ff 8029 0008 932ff9b1 51263b36 0006 0009 6576746a 3a683676 59202020"
      + "0008 0014 9aeaa70c bfd8cb56 781ef2b5 b2d3f249 c1b571a2 8028 0004 e57a3bcf")

  /// A response with 192.0.2.1:32853.
  static let responseIPv4: [UInt8] = bytes(
    "0101 003c 2112a442 b7e7a701 bc34d686 fa87dfae 8022 000b 74657374 20766563 746f7220"
      + "0020 0008 0001a147 e112a643 0008 0014 2b91f599 fd9e90c3 8c7489f9 2af9ba53 f06be7d7 8028 0004 c07d4c96")

  /// A response with [2001:db8:1234:5678:11:2233:4455:6677]:32853.
  static let responseIPv6: [UInt8] = bytes(
    "0101 0048 2112a442 b7e7a701 bc34d686 fa87dfae 8022 000b 74657374 20766563 746f7220"
      + "0020 0014 0002a147 0113a9fa a5d3f179 bc25f4b5 bed2b9d9"
      + "0008 0014 a382954e 4be67bf1 1784c97c 8292c275 bfe3ed41 8028 0004 c8fb0b4c")

  /// Bytes of hexadecimal digits.
  static func bytes(_ digits: String) -> [UInt8] {
    let digits = digits.compactMap { $0.hexDigitValue }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
