/// Type of an RTCP packet.
public enum RTCPPacketType: UInt8, Sendable, BitwiseCopyable {
  /// Any other type, which is skipped by its length.
  case other = 0
  /// Report of a sender about its packets and its reception of others (RFC 3550).
  case senderReport = 200
  /// Report of a receiver about its reception (RFC 3550).
  case receiverReport = 201
  /// Names of sources (RFC 3550).
  case sourceDescription = 202
  /// Departure of sources (RFC 3550).
  case bye = 203
  /// Packet defined by an application (RFC 3550).
  case application = 204
  /// Feedback on transport, such as a NACK (RFC 4585).
  case transportFeedback = 205
  /// Feedback on a payload (RFC 4585).
  case payloadFeedback = 206
  /// Extended reports (RFC 3611).
  case extendedReport = 207

  @_noLocks
  init(code: UInt8) {
    switch code {
    case 200: self = .senderReport
    case 201: self = .receiverReport
    case 202: self = .sourceDescription
    case 203: self = .bye
    case 204: self = .application
    case 205: self = .transportFeedback
    case 206: self = .payloadFeedback
    case 207: self = .extendedReport
    default: self = .other
    }
  }

  var code: UInt8 {
    @_noLocks get {
      switch self {
      case .other: 0
      case .senderReport: 200
      case .receiverReport: 201
      case .sourceDescription: 202
      case .bye: 203
      case .application: 204
      case .transportFeedback: 205
      case .payloadFeedback: 206
      case .extendedReport: 207
      }
    }
  }
}
