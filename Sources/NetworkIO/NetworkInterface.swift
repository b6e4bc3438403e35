import Glibc
public import Platform

/// Network interface of this machine, as the kernel describes it.
public struct NetworkInterface: Hashable, Sendable {
  /// Medium of an interface.
  public enum Medium: Hashable, Sendable {
    /// A cable, a bridge, or this machine itself.
    case wired
    /// A wireless local network.
    case wireless
    /// A mobile network.
    case mobile
  }

  /// Name, such as `eth0`.
  public let name: String
  /// Medium.
  public let medium: Medium

  /// Interface with the route to an address; nil without a route. Sends nothing.
  public init?(toward address: SocketAddress) {
    guard let local = Self.localHost(toward: address),
      let entry = LocalAddresses.entries(isIPv6: local.isIPv6).first(where: { $0.address.hasSameHost(as: local) })
    else { return nil }
    self.init(name: entry.interface)
  }

  /// Interface with a name.
  ///
  /// - Parameters:
  ///   - name: Name of the interface.
  ///   - root: Folder with a folder of each interface.
  init(name: String, root: String = "/sys/class/net") {
    self.name = name
    medium = Self.medium(of: "\(root)/\(name)")
  }

  /// Reads the medium from the files of an interface.
  ///
  /// Source: the kernel's `DEVTYPE` of network devices, and `if_arp.h`: 519 is raw IP, which modems have.
  private static func medium(of folder: String) -> Medium {
    let lines = text("\(folder)/uevent").split(separator: "\n")
    if lines.contains("DEVTYPE=wwan") || text("\(folder)/type") == "519\n" { return .mobile }
    let isWireless = ["wireless", "phy80211"].contains { access("\(folder)/\($0)", F_OK) == 0 }
    return isWireless || lines.contains("DEVTYPE=wlan") ? .wireless : .wired
  }

  /// Text of a file of the kernel; empty if it cannot be read.
  private static func text(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { bytes in
      let count = read(descriptor, bytes.baseAddress, bytes.count)
      return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
  }

  /// Own address on the route to another one, without a port.
  private static func localHost(toward address: SocketAddress) -> SocketAddress? {
    let descriptor = socket(address.family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard address.withSystemAddress({ connect(descriptor, $0, $1) }) == 0 else { return nil }
    return SocketAddress(ofDescriptor: descriptor)
  }
}

extension SocketAddress {
  /// Local address of a socket.
  init(ofDescriptor descriptor: Int32) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    withUnsafeMutablePointer(to: &storage) { pointer in
      // SAFETY: sockaddr_storage is large enough for every kind of address, and begins like sockaddr.
      _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    self.init(storage, length: length)
  }
}
