internal import COpenSSL

/// Secret of MESSAGE-INTEGRITY, made ready for HMAC-SHA1.
///
/// The secret lies in OpenSSL's memory, which is overwritten at the end. A code takes no memory of Swift's; OpenSSL
/// allocates twice, for a copy of the hash's state.
///
/// Thread: one at a time. Source: RFC 8489, sections 9.1.1 and 14.5.
public struct STUNIntegrityKey: ~Copyable, @unchecked Sendable {
  /// Code of 20 bytes.
  typealias Code = InlineArray<20, UInt8>

  // SAFETY (@unchecked Sendable): it has one owner, and only mutating methods use the context.
  private let context: OpaquePointer

  /// Creates the key of a password of ASCII characters.
  public init(password: String) {
    precondition(!password.isEmpty, "an ICE password has at least 22 characters")
    let method = EVP_MAC_fetch(nil, "HMAC", nil)
    guard let context = EVP_MAC_CTX_new(method) else { preconditionFailure("OpenSSL has no HMAC") }
    EVP_MAC_free(method)
    self.context = context
    var password = password
    var digest = Array("SHA1".utf8CString)
    let result = digest.withUnsafeMutableBufferPointer { digest in
      "digest".withCString { name in
        let parameters = [
          OSSL_PARAM(
            key: name, data_type: UInt32(OSSL_PARAM_UTF8_STRING), data: digest.baseAddress, data_size: 4,
            return_size: .max),
          OSSL_PARAM(),
        ]
        return password.withUTF8 { EVP_MAC_init(context, $0.baseAddress, $0.count, parameters) }
      }
    }
    precondition(result == 1, "OpenSSL cannot authenticate")
  }

  deinit { EVP_MAC_CTX_free(context) }

  /// Computes the code of the first `count` bytes of a message, with the length that the message has with the code.
  mutating func writeCode(of bytes: Span<UInt8>, count: Int, into code: inout Code) {
    // Without a key OpenSSL begins again under the same one.
    precondition(EVP_MAC_init(context, nil, 0, nil) == 1, "OpenSSL cannot authenticate")
    let length = UInt16(truncatingIfNeeded: count + 24 - STUNMessageReader.headerByteCount)
    let start: InlineArray<4, UInt8> = [bytes[0], bytes[1], UInt8(length >> 8), UInt8(length & 0xFF)]
    update(start.span)
    update(bytes.extracting(4..<count))
    var written = 0
    var target = code.mutableSpan
    let result = target.withUnsafeMutableBufferPointer { EVP_MAC_final(context, $0.baseAddress, &written, $0.count) }
    precondition(result == 1 && written == 20, "OpenSSL cannot authenticate")
  }

  private func update(_ bytes: Span<UInt8>) {
    let result = bytes.withUnsafeBufferPointer { EVP_MAC_update(context, $0.baseAddress, $0.count) }
    precondition(result == 1, "OpenSSL cannot authenticate")
  }
}
