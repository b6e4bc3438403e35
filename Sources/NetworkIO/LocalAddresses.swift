import Glibc
public import Platform

/// Addresses of this machine's interfaces that are up.
public enum LocalAddresses {
  /// An address, with the name of its interface.
  struct Entry {
    let interface: String
    let address: SocketAddress
    let isLoopback: Bool
  }

  /// Returns the addresses of one family that other machines may reach, or else those of loopback.
  /// Link-local ones of IPv6 are left out: they need the name of an interface.
  public static func offered(isIPv6: Bool) -> [SocketAddress] {
    let found = entries(isIPv6: isIPv6).filter { !$0.address.description.hasPrefix("[fe80:") }
    let others = found.filter { !$0.isLoopback }
    return (others.isEmpty ? found : others).map(\.address)
  }

  /// Returns all addresses of one family.
  static func entries(isIPv6: Bool) -> [Entry] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var found: [Entry] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, entry.ifa_flags & UInt32(IFF_UP) != 0,
        Int32(address.pointee.sa_family) == (isIPv6 ? AF_INET6 : AF_INET)
      else { continue }
      let length = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
      var storage = sockaddr_storage()
      // SAFETY: the system gives an address of its family's length.
      withUnsafeMutableBytes(of: &storage) {
        $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: length))
      }
      found.append(
        Entry(
          interface: String(cString: entry.ifa_name), address: SocketAddress(storage, length: socklen_t(length)),
          isLoopback: entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0))
    }
    return found
  }
}
