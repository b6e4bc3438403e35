/// What an RTCP packet is.
public enum RTCPPacketType: UInt8, Sendable, BitwiseCopyable {
  /// A type that is not looked into; it is skipped by its length.
  case other = 0
  /// What a sender has sent, and how it receives others (RFC 3550).
  case senderReport = 200
  /// How a receiver receives (RFC 3550).
  case receiverReport = 201
  /// Names (RFC 3550).
  case sourceDescription = 202
  /// A source leaves (RFC 3550).
  case bye = 203
  /// An application's own (RFC 3550).
  case application = 204
  /// Feedback on transport, NACK among it (RFC 4585).
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
