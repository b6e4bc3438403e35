import Platform

/// Address in a description, without a port: an address in digits, or the name of a host.
public struct NetworkAddress: Hashable, Sendable {
  /// Address in digits, or a name, as written in the description.
  public let host: String
  /// Whether it is an IPv6 address.
  public let isIPv6: Bool

  /// Creates an address from its parts.
  public init(host: String, isIPv6: Bool) {
    self.host = host
    self.isIPv6 = isIPv6
  }

  /// Creates an address; a host with a colon is an IPv6 address.
  public init(_ host: String) { self.init(host: host, isIPv6: host.contains(":")) }

  /// Whether it is a multicast address in digits: 224.0.0.0/4 or ff00::/8.
  public var isMulticast: Bool { SocketAddress(host: host, port: 0)?.isMulticast == true }

  /// Text for SDP: `IN IP4 127.0.0.1`.
  var text: String { "IN \(isIPv6 ? "IP6" : "IP4") \(host)" }

  /// Text for `c=`. A multicast address of IPv4 has a lifetime in it: one hop, which is the system's default.
  var connectionText: String { isMulticast && !isIPv6 ? text + "/1" : text }

  /// Reads the text of SDP, without a multicast address's lifetime and count after a slash.
  init?(text: Substring) {
    let words = SDPLine.words(of: text)
    guard words.count == 3, words[0] == "IN", words[1] == "IP4" || words[1] == "IP6" else { return nil }
    let host = words[2].prefix { $0 != "/" }
    guard !host.isEmpty else { return nil }
    self.init(host: String(host), isIPv6: words[1] == "IP6")
  }
}
