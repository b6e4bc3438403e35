/// Address that a peer can perhaps be reached at, as in SDP's `candidate`.
///
///     1 1 udp 2113929471 203.0.113.100 10100 typ host
///
/// Source: RFC 8839, section 5.1.
public struct CandidateLine: Hashable, Sendable {
  /// Text behind `candidate:`, with extensions that no field has.
  public let text: String
  /// Name shared by candidates of one type, base and server.
  public let foundation: String
  /// Number of the component: 1 for RTP, and for RTCP that shares its port; 2 for RTCP.
  public let component: UInt16
  /// Transport in lower case: `udp` or `tcp`.
  public let transport: String
  /// Priority among the peer's candidates; more is better.
  public let priority: UInt32
  /// Address in digits, or a name, such as a multicast DNS name that ends with `.local`.
  public let address: String
  /// Port of the address.
  public let port: UInt16
  /// Type: `host`, `srflx`, `prflx` or `relay`.
  public let type: String
  /// Address that the candidate was derived from; nil for a host candidate.
  public let relatedAddress: String?
  /// Port of the related address; nil without one.
  public let relatedPort: UInt16?
  /// Role in a TCP connection: `active`, `passive` or `so`; nil for UDP. Source: RFC 6544, section 4.5.
  public let tcpType: String?

  /// Reads a candidate with or without `candidate:` or `a=candidate:` before it; nil if it is malformed.
  public init?(parsing text: some StringProtocol) {
    var text = Substring(text)
    guard text.utf8.count <= Self.maximumByteCount, !text.contains(where: \.isNewline) else { return nil }
    for prefix in ["a=", "candidate:"] where text.hasPrefix(prefix) { text = text.dropFirst(prefix.count) }
    let words = SDPLine.words(of: text)
    guard words.count >= 8, words.count <= Self.maximumWordCount, words[0].utf8.count <= 32,
      let component = UInt16(words[1]), (1...256).contains(component), let priority = UInt32(words[3]),
      let port = UInt16(words[5]), words[6] == "typ"
    else { return nil }
    self.text = words.joined(separator: " ")
    foundation = String(words[0])
    self.component = component
    transport = words[2].lowercased()
    self.priority = priority
    address = String(words[4])
    self.port = port
    type = String(words[7])
    var extensions: [Substring: Substring] = [:]
    for index in stride(from: 8, to: words.count - 1, by: 2) { extensions[words[index]] = words[index + 1] }
    relatedAddress = extensions["raddr"].map(String.init)
    relatedPort = extensions["rport"].flatMap { UInt16($0) }
    tcpType = extensions["tcptype"].map(String.init)
  }

  private static let maximumByteCount = 1024
  private static let maximumWordCount = 64
}
