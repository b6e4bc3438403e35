import Cryptography
import Glibc

/// Secret of an app, which signs tokens, with its key id. Its memory is overwritten at release; printing does not show
/// it.
public final class TokenSecret: @unchecked Sendable, CustomStringConvertible, CustomReflectable {
  // SAFETY (@unchecked Sendable): the memory is written in the initialiser only, and read until the release.
  private let memory: UnsafeMutableBufferPointer<UInt8>

  /// Minimum length in bytes.
  public static let minimumByteCount = 16
  /// Maximum length of a key id, in bytes.
  public static let maximumKeyIDByteCount = 64

  /// Identifier of the secret, which a token's header may name as `kid`.
  public let keyID: String

  /// Creates a secret. The caller overwrites `bytes`.
  ///
  /// - Throws: `tooShort`, `keyID`.
  public init(keyID: String, bytes: Span<UInt8>) throws(TokenSecretError) {
    guard (1...Self.maximumKeyIDByteCount).contains(keyID.utf8.count) else { throw .keyID }
    guard bytes.count >= Self.minimumByteCount else { throw .tooShort(byteCount: bytes.count) }
    self.keyID = keyID
    memory = .allocate(capacity: bytes.count)
    bytes.withUnsafeBufferPointer { _ = memory.initialize(from: $0) }
  }

  deinit {
    if let start = memory.baseAddress { explicit_bzero(start, memory.count) }
    memory.deallocate()
  }

  /// Returns the authentication code of a token's first two parts. Source: RFC 7518, section 3.2.
  package func authenticationCode(of text: some StringProtocol) -> [UInt8] {
    MessageDigest.sha256.authenticationCode(of: Array(text.utf8).span, key: memory.span)
  }

  /// Whether both secrets have equal bytes, whatever their key ids; compared in constant time.
  package func hasSameBytes(as other: TokenSecret) -> Bool { ConstantTime.areEqual(memory.span, other.memory.span) }

  public var description: String { "secret '\(keyID)' (not shown)" }

  public var customMirror: Mirror { Mirror(self, children: ["keyID": keyID]) }
}
