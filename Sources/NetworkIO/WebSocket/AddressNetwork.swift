import Glibc
package import Platform

/// One IPv4 address, or one /64 network of IPv6: a client can choose among its addresses.
package struct AddressNetwork: Hashable, Sendable {
  private let isIPv6: Bool
  private let prefix: UInt64

  package init(of address: SocketAddress) {
    let address = address.unmapped
    let range = address.isIPv6 ? 8..<16 : 4..<8
    isIPv6 = address.isIPv6
    prefix = address.withSystemAddress { start, length in
      // SAFETY: the system's address has `length` bytes.
      let bytes = UnsafeRawBufferPointer(start: start, count: Int(length))
      guard range.upperBound <= bytes.count else { return 0 }
      return bytes[range].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}

extension AddressNetwork: CustomStringConvertible {
  /// An IPv4 address in digits, or the network of IPv6 with its length.
  package var description: String {
    if isIPv6 {
      return (0..<4).map { String(prefix >> (48 - 16 * UInt64($0)) & 0xFFFF, radix: 16) }.joined(separator: ":")
        + "::/64"
    }
    return (0..<4).map { "\(prefix >> (24 - 8 * UInt64($0)) & 0xFF)" }.joined(separator: ".")
  }
}
