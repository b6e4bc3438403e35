public import Platform

/// Address at which an agent may be reached, as in SDP's `a=candidate`.
///
/// A candidate of TCP, or with a name such as an mDNS one, is kept as text; `usableAddress` is nil for it.
///
/// Source: RFC 8839, section 5.1; RFC 8445, section 5.1.
public struct ICECandidate: Hashable, Sendable {
  /// Text that candidates of the same kind, base and server share: 1 to 32 of ICE's characters.
  public let foundation: String
  /// Number of the component, 1...256: 1 is RTP with its RTCP.
  public let component: Int
  /// Transport in lower case: `udp`, `tcp` or another.
  public let transport: String
  /// Priority among the candidates; a higher one is tried first.
  public let priority: UInt32
  /// Address in digits, or a name.
  public let host: String
  /// Port number.
  public let port: UInt16
  /// Origin of the candidate.
  public let kind: ICECandidateKind
  /// Words behind the kind, such as `raddr`, `tcptype` and `generation` with their values; kept as they are.
  public let attributes: [String]

  /// Creates a UDP candidate of component 1.
  ///
  /// - Parameters:
  ///   - address: address of the candidate.
  ///   - kind: origin of the candidate.
  ///   - foundation: the same for candidates of one kind, base and server.
  ///   - localPreference: preference among the agent's candidates of the same kind.
  public init(
    _ address: SocketAddress, kind: ICECandidateKind = .host, foundation: String = "1", localPreference: UInt16 = .max
  ) {
    self.foundation = foundation
    component = 1
    transport = "udp"
    priority = Self.priority(kind, localPreference: localPreference)
    // An IPv6 address stands in brackets before its port.
    host = String(address.description.dropLast(String(address.port).count + 1).filter { $0 != "[" && $0 != "]" })
    port = address.port
    self.kind = kind
    // RFC 8839 requires a related address for all but host candidates; this one reveals nothing.
    attributes = kind == .host ? [] : ["raddr", address.isIPv6 ? "::" : "0.0.0.0", "rport", "9"]
  }

  /// Returns a candidate's priority.
  ///
  /// Source: RFC 8445, section 5.1.2.1.
  public static func priority(
    _ kind: ICECandidateKind, localPreference: UInt16 = .max, component: Int = 1
  ) -> UInt32 {
    precondition((1...256).contains(component), "a component is 1 to 256")
    return kind.preference << 24 | UInt32(localPreference) << 8 | UInt32(256 - component)
  }

  /// Address for checks over UDP; nil for other transports and components, names, groups and impossible addresses.
  public var usableAddress: SocketAddress? {
    guard transport == "udp", component == 1, port != 0, let address = SocketAddress(host: host, port: port),
      !address.isAny, !address.isMulticast
    else { return nil }
    return address.unmapped
  }

  /// Whether the host is a name of multicast DNS, with which browsers hide an address.
  public var isMulticastDNS: Bool { host.lowercased().hasSuffix(".local") }
}
