/// Reason why bytes are not a STUN message, or a message does not fit into the caller's memory.
public enum STUNError: UInt8, Error, BitwiseCopyable, CustomStringConvertible {
  /// Shorter than the header, or with the first two bits set.
  case header
  /// Without the magic cookie of RFC 8489; RFC 3489 had none.
  case cookie
  /// A length that differs from the datagram's.
  case length
  /// An attribute that reaches beyond the message, or an integrity code of another size.
  case attribute
  /// A fingerprint that does not match, or is not the last attribute.
  case fingerprint
  /// The buffer is shorter than the message to be written.
  case bufferTooShort

  public var description: String {
    switch self {
    case .header: "shorter than a STUN header (20 bytes), or another protocol's datagram"
    case .cookie: "without the magic cookie of STUN"
    case .length: "the length of the STUN message is not that of the datagram"
    case .attribute: "an attribute reaches beyond the STUN message, or has an impossible size"
    case .fingerprint: "the fingerprint of the STUN message does not match, or is not its last attribute"
    case .bufferTooShort: "the buffer is too short for the STUN message"
    }
  }
}
