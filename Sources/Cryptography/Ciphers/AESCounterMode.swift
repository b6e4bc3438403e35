internal import COpenSSL

/// AES in counter mode under one key: encryption and decryption are the same operation.
///
/// No call allocates. A block of the key stream must never encrypt two different texts.
///
/// Thread: one at a time.
///
/// Source: NIST SP 800-38A, section 6.5.
package struct AESCounterMode: ~Copyable {
  // SAFETY: OpenSSL does not change a fetched cipher, and no caller releases it.
  private nonisolated(unsafe) static let aes128 = EVP_CIPHER_fetch(nil, "AES-128-CTR", nil)
  private nonisolated(unsafe) static let aes256 = EVP_CIPHER_fetch(nil, "AES-256-CTR", nil)

  private let context: CipherContext

  /// Creates the cipher. Traps for a key of another length than 16 or 32 bytes.
  package init(key: UnsafeRawBufferPointer) {
    precondition(key.count == 16 || key.count == 32, "AES has keys of 16 or 32 bytes here")
    context = CipherContext(key.count == 16 ? Self.aes128 : Self.aes256, key: key, isEncrypting: true)
  }

  /// Adds the key stream to text, in place.
  ///
  /// - Parameter counter: first counter block, 16 bytes.
  package func apply(_ text: UnsafeMutableRawBufferPointer, counter: UnsafeRawPointer) {
    context.begin(counter)
    context.update(text)
  }
}
