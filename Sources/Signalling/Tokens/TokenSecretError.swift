/// Reason why bytes or a key id cannot serve as a secret.
public enum TokenSecretError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The secret has fewer bytes than `TokenSecret.minimumByteCount`.
  case tooShort(byteCount: Int)
  /// The key id is empty, or longer than `TokenSecret.maximumKeyIDByteCount`.
  case keyID

  public var description: String {
    switch self {
    case .tooShort(let count):
      "a token secret has at least \(TokenSecret.minimumByteCount) bytes, not \(count); make one of random bytes"
    case .keyID: "the key id of a token secret has 1...\(TokenSecret.maximumKeyIDByteCount) bytes; choose another"
    }
  }
}
