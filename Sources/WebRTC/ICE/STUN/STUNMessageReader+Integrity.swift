internal import Cryptography

extension STUNMessageReader {
  /// Returns whether the message's integrity code is that of a password.
  ///
  /// The code covers the header and the attributes before it. The header's length counts as if the code were the last
  /// attribute. The comparison takes the same time for every code.
  ///
  /// - Returns: False also for a message without MESSAGE-INTEGRITY.
  ///
  /// Source: RFC 8489, section 14.5.
  public func hasIntegrity(of key: inout STUNIntegrityKey) -> Bool {
    guard let integrityOffset else { return false }
    var code = STUNIntegrityKey.Code(repeating: 0)
    key.writeCode(of: bytes, count: integrityOffset, into: &code)
    let received = bytes.extracting((integrityOffset + 4)..<(integrityOffset + 24))
    return ConstantTime.areEqual(received, code.span)
  }
}
