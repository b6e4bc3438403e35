import Platform

/// The address of a description, without a port: in digits, or the name of a host.
public struct NetworkAddress: Hashable, Sendable {
  /// The address in digits, or a name, as written in the description.
  public let host: String
  /// Whether it is one of IPv6.
  public let isIPv6: Bool

  /// An address from its parts.
  public init(host: String, isIPv6: Bool) {
    self.host = host
    self.isIPv6 = isIPv6
  }

  /// An address; with a colon it is one of IPv6.
  public init(_ host: String) { self.init(host: host, isIPv6: host.contains(":")) }

  /// Whether it is the address of a group, in digits: 224.0.0.0/4 or ff00::/8.
  public var isMulticast: Bool { SocketAddress(host: host, port: 0)?.isMulticast == true }

  /// What SDP writes: `IN IP4 127.0.0.1`.
  var text: String { "IN \(isIPv6 ? "IP6" : "IP4") \(host)" }

  /// The same for `c=`, where a group of IPv4 has a lifetime: one hop, which is what systems give a packet unless
  /// asked.
  var connectionText: String { isMulticast && !isIPv6 ? text + "/1" : text }

  /// Reads what SDP writes; a multicast address's lifetime and count, after a slash, are left out.
  init?(text: Substring) {
    let words = SDPLine.words(of: text)
    guard words.count == 3, words[0] == "IN", words[1] == "IP4" || words[1] == "IP6" else { return nil }
    let host = words[2].prefix { $0 != "/" }
    guard !host.isEmpty else { return nil }
    self.init(host: String(host), isIPv6: words[1] == "IP6")
  }
}
