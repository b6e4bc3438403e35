/// Reason why a packet cannot be protected or trusted, or a key cannot be used. No error reveals a key's content.
public enum SRTPError: Error, Hashable, BitwiseCopyable, CustomStringConvertible {
  /// A key and salt of another length than the suite's, in bytes.
  case keySize(SRTPSuite, byteCount: Int)
  /// A key that is neither in base64 nor in hexadecimal digits.
  case keyText(SRTPSuite)
  /// Too short for a header and its protection, a header with a false length, or RTCP that is not encrypted.
  case malformed
  /// The tag does not match the packet under this key: the packet is another's, or has been changed.
  case authentication
  /// A packet that has arrived before, or is too old to know; at the sender, a number that has been used.
  case replay
  /// The memory is shorter than the packet and its protection.
  case bufferTooShort
  /// The key has protected the maximum number of packets.
  case keyExhausted

  public var description: String {
    switch self {
    case .keySize(let suite, let count):
      "\(suite.name) takes a key and salt of \(suite.keyByteCount + suite.saltByteCount) bytes, not \(count)"
    case .keyText(let suite):
      "a key for \(suite.name) is \(suite.keyByteCount + suite.saltByteCount) bytes of key and salt in base64 or "
        + "hexadecimal digits"
    case .malformed: "too short for an SRTP packet, or with a header of a false length"
    case .authentication: "an SRTP packet does not fit the key: it is another's, or has been changed on the way"
    case .replay: "an SRTP packet has come before, or is too old to tell"
    case .bufferTooShort: "the buffer is too short for the SRTP packet"
    case .keyExhausted: "the SRTP key has protected as many packets as it may; use another"
    }
  }
}
