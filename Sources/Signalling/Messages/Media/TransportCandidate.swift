import JSON

/// UDP address for media. RTP and RTCP share it.
///
/// Source: RFC 8839, section 5.1.
public struct TransportCandidate: Hashable, Sendable {
  /// Kind of the address.
  public let kind: CandidateKind
  /// Address in digits, or a name that the peer resolves.
  public let address: String
  /// Port.
  public let port: UInt16
  /// Priority among the candidates of one peer.
  public let priority: UInt32
  /// Mark of candidates of one kind, interface and server.
  public let foundation: String

  /// Creates a candidate.
  public init(kind: CandidateKind, address: String, port: UInt16, priority: UInt32, foundation: String) {
    self.kind = kind
    self.address = address
    self.port = port
    self.priority = priority
    self.foundation = foundation
  }

  init(_ fields: MessageFields) throws(MessageError) {
    kind = try fields.require("kind", fields.choice("kind"))
    address = try fields.require(
      "address",
      fields.parsed("address", "an address in digits or a name of at most 255 bytes") { text in
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy(Self.isInAddress) ? text : nil
      })
    port = try fields.require("port", fields.integer("port", in: 1...UInt16.max))
    priority = try fields.require("priority", fields.integer("priority", in: 1...UInt32(Int32.max)))
    foundation = try fields.require(
      "foundation",
      fields.parsed("foundation", "1...32 letters, digits, + and /") { TransportParameters.iceText($0, 1...32) })
  }

  func write(to json: inout JSONWriter) {
    json.field("kind", kind.name)
    json.field("address", address)
    json.field("port", Int(port))
    json.field("priority", priority)
    json.field("foundation", foundation)
  }

  private static func isInAddress(_ byte: UInt8) -> Bool {
    TransportParameters.isLetterOrDigit(byte) || ".:-_".utf8.contains(byte)
  }
}
