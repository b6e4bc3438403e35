internal import COpenSSL

/// OpenSSL's state of a cipher under one key. OpenSSL overwrites the key when the state is released.
///
/// Thread: one at a time.
struct CipherContext: ~Copyable {
  private let context: OpaquePointer

  init(_ cipher: OpaquePointer?, key: UnsafeRawBufferPointer, isEncrypting: Bool) {
    guard let cipher, let context = EVP_CIPHER_CTX_new() else { preconditionFailure("OpenSSL has no AES") }
    self.context = context
    let key = key.assumingMemoryBound(to: UInt8.self).baseAddress
    let result = EVP_CipherInit_ex(context, cipher, nil, key, nil, isEncrypting ? 1 : 0)
    precondition(result == 1, "OpenSSL does not take a key of AES")
  }

  deinit { EVP_CIPHER_CTX_free(context) }

  /// Begins a text.
  func begin(_ nonce: UnsafeRawPointer) {
    let result = EVP_CipherInit_ex(context, nil, nil, nil, nonce.assumingMemoryBound(to: UInt8.self), -1)
    precondition(result == 1, "OpenSSL does not take a nonce")
  }

  /// Takes bytes that are authenticated in the clear.
  func authenticate(_ bytes: UnsafeRawBufferPointer) { process(bytes, into: nil) }

  /// Encrypts or decrypts in place.
  func update(_ text: UnsafeMutableRawBufferPointer) {
    process(UnsafeRawBufferPointer(text), into: text.assumingMemoryBound(to: UInt8.self).baseAddress)
  }

  private func process(_ input: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>?) {
    guard input.count > 0 else { return }
    var count: Int32 = 0
    let bytes = input.assumingMemoryBound(to: UInt8.self).baseAddress
    let result = EVP_CipherUpdate(context, output, &count, bytes, Int32(input.count))
    precondition(result == 1 && count == input.count, "OpenSSL cannot encrypt or authenticate")
  }

  /// Ends an encryption of AES-GCM and writes its tag.
  func finishSealing(_ tag: UnsafeMutableRawPointer) {
    var count: Int32 = 0
    var rest: UInt8 = 0
    var result = EVP_CipherFinal_ex(context, &rest, &count)
    precondition(result == 1 && count == 0, "OpenSSL cannot authenticate")
    result = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(AESGCM.tagByteCount), tag)
    precondition(result == 1, "OpenSSL has no tag")
  }

  /// Ends a decryption of AES-GCM.
  ///
  /// - Returns: Whether the tag fits.
  func finishOpening(_ tag: UnsafeRawPointer) -> Bool {
    var count: Int32 = 0
    var rest: UInt8 = 0
    // OpenSSL reads the tag and does not write it.
    let result = EVP_CIPHER_CTX_ctrl(
      context, EVP_CTRL_AEAD_SET_TAG, Int32(AESGCM.tagByteCount), UnsafeMutableRawPointer(mutating: tag))
    precondition(result == 1, "OpenSSL does not take a tag")
    return EVP_CipherFinal_ex(context, &rest, &count) == 1
  }
}
