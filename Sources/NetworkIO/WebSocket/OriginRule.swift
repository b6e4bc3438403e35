/// Web pages that may open a connection, by the `Origin` that browsers send. Other programs send none.
///
/// Source: RFC 6455, section 10.2.
public enum OriginRule: Hashable, Sendable {
  /// Every page.
  case any
  /// Pages of the server's own host and port, and those of the given origins, such as `https://calls.example`.
  case ownHost(or: Set<String>)

  /// Returns whether a page may open a connection.
  ///
  /// - Parameters:
  ///   - origin: the header `Origin` in ASCII.
  ///   - host: the header `Host` in ASCII; nil if it is absent.
  func allows(_ origin: String, host: String?) -> Bool {
    guard case .ownHost(let others) = self else { return true }
    if others.contains(origin) { return true }
    guard let host, let scheme = origin.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let rest = origin[scheme...]
    return rest.hasPrefix("://") && rest.dropFirst(3).lowercased() == host.lowercased()
  }
}
