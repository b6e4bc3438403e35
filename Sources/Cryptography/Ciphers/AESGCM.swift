internal import COpenSSL

/// AES in Galois/counter mode under one key, for one direction: encryption and authentication in place.
///
/// No call allocates. A nonce must never encrypt two different texts: this would reveal the key of the authentication.
///
/// Thread: one at a time.
///
/// Source: NIST SP 800-38D; RFC 5116.
package struct AESGCM: ~Copyable {
  /// Bytes of a nonce.
  package static let nonceByteCount = 12
  /// Bytes of a tag.
  package static let tagByteCount = 16

  // `EVP_CIPHER_fetch` searches lists and allocates, so that it runs once.
  // SAFETY: OpenSSL does not change a fetched cipher, and no caller releases it.
  private nonisolated(unsafe) static let aes128 = EVP_CIPHER_fetch(nil, "AES-128-GCM", nil)
  private nonisolated(unsafe) static let aes256 = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)

  private let context: CipherContext

  /// Creates the cipher. Traps for a key of another length than 16 or 32 bytes.
  package init(key: UnsafeRawBufferPointer, isEncrypting: Bool) {
    precondition(key.count == 16 || key.count == 32, "AES-GCM has keys of 16 or 32 bytes")
    context = CipherContext(key.count == 16 ? Self.aes128 : Self.aes256, key: key, isEncrypting: isEncrypting)
  }

  /// Encrypts text in place and writes its tag.
  ///
  /// - Parameters:
  ///   - nonce: 12 bytes, different for each text under the key.
  ///   - parts: bytes that are authenticated in the clear, one part behind the other.
  ///   - tag: place of the tag, 16 bytes.
  package func seal(
    _ text: UnsafeMutableRawBufferPointer, nonce: UnsafeRawPointer,
    authenticating parts: (UnsafeRawBufferPointer, UnsafeRawBufferPointer), tag: UnsafeMutableRawPointer
  ) {
    context.begin(nonce)
    context.authenticate(parts.0)
    context.authenticate(parts.1)
    context.update(text)
    context.finishSealing(tag)
  }

  /// Decrypts text in place, if the tag fits. Otherwise the text is overwritten with zeros.
  ///
  /// - Returns: Whether the tag fits.
  package func open(
    _ text: UnsafeMutableRawBufferPointer, nonce: UnsafeRawPointer,
    authenticating parts: (UnsafeRawBufferPointer, UnsafeRawBufferPointer), tag: UnsafeRawPointer
  ) -> Bool {
    context.begin(nonce)
    context.authenticate(parts.0)
    context.authenticate(parts.1)
    context.update(text)
    if context.finishOpening(tag) { return true }
    // Plain text without authentication must not leave this function.
    if let base = text.baseAddress { OPENSSL_cleanse(base, text.count) }
    return false
  }
}
