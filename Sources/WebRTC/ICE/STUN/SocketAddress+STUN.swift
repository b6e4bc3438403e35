internal import Glibc
internal import Platform

/// Addresses in XOR-MAPPED-ADDRESS.
///
/// Source: RFC 8489, section 14.2.
extension SocketAddress {
  /// Reads the value of the attribute; nil for another family or size.
  init?(xorMapped value: Span<UInt8>, transactionID: STUNTransactionID) {
    guard value.count >= 4, value[1] == 1 && value.count == 8 || value[1] == 2 && value.count == 20 else { return nil }
    let port = value.number16(at: 2) ^ UInt16(STUNMessageReader.cookie >> 16)
    var storage = sockaddr_storage()
    let isIPv6 = value[1] == 2
    // SAFETY: the storage has room for every kind of address: 4 bytes behind the port, or 16 behind the flow.
    withUnsafeMutableBytes(of: &storage) { bytes in
      bytes.storeBytes(of: sa_family_t(isIPv6 ? AF_INET6 : AF_INET), as: sa_family_t.self)
      let start = isIPv6 ? 8 : 4
      for index in 0..<(value.count - 4) {
        bytes[start + index] = value[4 + index] ^ Self.mask(index, transactionID)
      }
    }
    let length = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    self = SocketAddress(storage, length: socklen_t(length)).withPort(port)
  }

  /// Writes the value of the attribute: 8 bytes for IPv4, 20 for IPv6.
  ///
  /// - Returns: Number of bytes.
  func writeXORMapped(transactionID: STUNTransactionID, into value: inout InlineArray<20, UInt8>) -> Int {
    let isIPv6 = isIPv6
    let port = port ^ UInt16(STUNMessageReader.cookie >> 16)
    value[0] = 0
    value[1] = isIPv6 ? 2 : 1
    value[2] = UInt8(port >> 8)
    value[3] = UInt8(port & 0xFF)
    let count = isIPv6 ? 16 : 4
    withSystemAddress { address, _ in
      // SAFETY: the system's address has 4 bytes of host behind the port, or 16 behind the flow.
      let host = UnsafeRawPointer(address) + (isIPv6 ? 8 : 4)
      for index in 0..<count {
        value[4 + index] = host.load(fromByteOffset: index, as: UInt8.self) ^ Self.mask(index, transactionID)
      }
    }
    return 4 + count
  }

  /// Byte of the cookie and the transaction's number, over which the host is written.
  private static func mask(_ index: Int, _ transactionID: STUNTransactionID) -> UInt8 {
    switch index {
    case 0..<4: UInt8(truncatingIfNeeded: STUNMessageReader.cookie >> UInt32(24 - 8 * index))
    case 4..<8: UInt8(truncatingIfNeeded: transactionID.high >> UInt32(56 - 8 * index))
    default: UInt8(truncatingIfNeeded: transactionID.low >> UInt64(120 - 8 * index))
    }
  }
}
