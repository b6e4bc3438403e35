/// Feedback message that a section's author understands, as in SDP's `rtcp-fb`.
///
/// Source: RFC 4585, section 4.2.
public struct RTCPFeedback: Hashable, Sendable {
  /// Payload type that the feedback is about; nil for all.
  public let payloadType: UInt8?
  /// Name and parameters, such as `nack` or `transport-cc`.
  public let value: String

  /// Creates feedback from its parts.
  public init(payloadType: UInt8?, value: String) {
    self.payloadType = payloadType
    self.value = value
  }

  /// Reads `111 nack` or `* nack`; nil if it is malformed.
  init?(_ line: SDPLine) {
    let (type, rest) = line.typed
    guard !rest.isEmpty, rest.utf8.count <= 64 else { return nil }
    if type == "*" {
      self.init(payloadType: nil, value: String(rest))
    } else {
      guard let number = UInt8(type), number < 128 else { return nil }
      self.init(payloadType: number, value: String(rest))
    }
  }

  var text: String { "\(payloadType.map { "\($0)" } ?? "*") \(value)" }
}
