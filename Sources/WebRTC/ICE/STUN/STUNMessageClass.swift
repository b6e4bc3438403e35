/// Class of a STUN message.
///
/// Source: RFC 8489, section 5.
public enum STUNMessageClass: UInt8, Sendable, BitwiseCopyable {
  /// A message that is to be answered.
  case request
  /// A message without an answer.
  case indication
  /// Answer to an accepted request.
  case success
  /// Answer to a refused request.
  case error

  /// Reads the class from the first 16 bits of a message: bits 4 and 8.
  init(messageType: UInt16) {
    switch (messageType & 0x0100, messageType & 0x0010) {
    case (0, 0): self = .request
    case (0, _): self = .indication
    case (_, 0): self = .success
    default: self = .error
    }
  }

  /// The first 16 bits of a binding message of this class.
  var bindingType: UInt16 {
    switch self {
    case .request: 0x0001
    case .indication: 0x0011
    case .success: 0x0101
    case .error: 0x0111
    }
  }
}
