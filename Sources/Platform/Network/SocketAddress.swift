package import Glibc

/// An IPv4 or IPv6 address and a port.
public struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  // The system's form, in place: every datagram brings one. Only the first `byteCount` bytes count, the others are 0.
  private var bytes = SIMD32<UInt8>()
  private let byteCount: UInt8

  /// Creates an address from a host in digits, without a lookup; nil if `host` is a name.
  public init?(host: some StringProtocol, port: UInt16) {
    // The resolver would read 239.1.2 as 239.1.0.2.
    var digits = in_addr()
    guard host.contains(":") || inet_pton(AF_INET, String(host), &digits) == 1 else { return nil }
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(String(host), nil, &hints, &found) == 0, let first = found else { return nil }
    defer { freeaddrinfo(found) }
    self = SocketAddress(first.pointee).withPort(port)
  }

  /// Creates an address from a result of the resolver.
  package init(_ found: addrinfo) {
    // SAFETY: the resolver gives ai_addrlen bytes at ai_addr.
    self.init(UnsafeRawBufferPointer(start: found.ai_addr, count: Int(found.ai_addrlen)))
  }

  /// Creates an address from the first `length` bytes of `storage`.
  package init(_ storage: sockaddr_storage, length: socklen_t) {
    self = withUnsafeBytes(of: storage) { SocketAddress(UnsafeRawBufferPointer(rebasing: $0.prefix(Int(length)))) }
  }

  /// Creates an address from the system's bytes; the longest, of IPv6, has 28.
  package init(_ address: UnsafeRawBufferPointer) {
    byteCount = UInt8(min(address.count, SIMD32<UInt8>.scalarCount))
    for index in 0..<Int(byteCount) { bytes[index] = address[index] }
  }

  /// Address family, in the system's numbering.
  package var family: Int32 { withSystemAddress { address, _ in Int32(address.pointee.sa_family) } }

  /// Port number.
  public var port: UInt16 { UInt16(bytes[2]) << 8 | UInt16(bytes[3]) }

  /// Whether this is an IPv6 address.
  public var isIPv6: Bool { family == AF_INET6 }

  /// Whether the address stands for all addresses of a machine: 0.0.0.0 or [::].
  public var isAny: Bool { hostRange.allSatisfy { bytes[$0] == 0 } }

  /// Whether this is an address of this machine alone: 127.0.0.0/8 or ::1.
  public var isLoopback: Bool {
    isIPv6 ? (8..<23).allSatisfy { bytes[$0] == 0 } && bytes[23] == 1 : bytes[4] == 127
  }

  /// Whether this is the address of a group: 224.0.0.0/4 or ff00::/8.
  public var isMulticast: Bool { isIPv6 ? bytes[8] == 0xFF : bytes[4] & 0xF0 == 0xE0 }

  /// Bytes of the host, in network order.
  package var hostBytes: [UInt8] { hostRange.map { bytes[$0] } }

  /// Bytes of the host, behind family, port and, in IPv6, the flow.
  private var hostRange: Range<Int> { isIPv6 ? 8..<24 : 4..<8 }

  /// Returns the same host with another port.
  public func withPort(_ port: UInt16) -> SocketAddress {
    var other = self
    other.bytes[2] = UInt8(port >> 8)
    other.bytes[3] = UInt8(port & 0xFF)
    return other
  }

  /// The IPv4 address in an IPv4-mapped IPv6 address (::ffff:0:0/96), with its port; any other address unchanged.
  ///
  /// Source: RFC 4291, section 2.5.5.2.
  public var unmapped: SocketAddress {
    guard isIPv6, (8..<18).allSatisfy({ bytes[$0] == 0 }), bytes[18] == 0xFF, bytes[19] == 0xFF else { return self }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    var plain = withUnsafeBytes(of: address) { SocketAddress($0) }.withPort(port)
    for index in 0..<4 { plain.bytes[4 + index] = bytes[20 + index] }
    return plain
  }

  /// Returns whether both addresses are the same host, whatever their ports and their notation.
  public func hasSameHost(as other: SocketAddress) -> Bool { unmapped.withPort(0) == other.unmapped.withPort(0) }

  /// Host and port, such as `127.0.0.1:5004` or `[::1]:5004`.
  public var description: String {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let code = withSystemAddress { address, length in
      getnameinfo(address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
    }
    guard code == 0 else { return "?" }
    let text = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.contains(":") ? "[\(text)]:\(port)" : "\(text):\(port)"
  }

  package func withSystemAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    // SAFETY: every kind of address begins like sockaddr; the vector is aligned for it.
    withUnsafeBytes(of: bytes) { body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(byteCount)) }
  }
}
