/// An address, or a name that stands for one, and of which family.
public struct NetworkAddress: Hashable, Sendable {
  /// In digits, or a name.
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
  public var isMulticast: Bool {
    guard !isIPv6 else { return host.lowercased().hasPrefix("ff") && host.contains(":") }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return numbers.count == 4 && !numbers.contains(nil) && numbers[0]! & 0xF0 == 0xE0
  }

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
