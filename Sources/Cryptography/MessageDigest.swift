internal import COpenSSL

/// A cryptographic hash function.
///
/// Source: FIPS 180-4.
public enum MessageDigest: Sendable, CaseIterable {
  /// For STUN's message integrity only: RFC 8489 demands it.
  case sha1
  case sha256
  case sha384
  case sha512

  /// Number of bytes of a hash.
  public var byteCount: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// Returns the hash of these bytes.
  public func hash(_ bytes: Span<UInt8>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { hash, count in
      var length: UInt32 = 0
      let succeeded = bytes.withUnsafeBufferPointer {
        EVP_Digest($0.baseAddress, $0.count, hash.baseAddress, &length, function, nil)
      }
      precondition(succeeded == 1 && length == byteCount, "OpenSSL cannot hash")
      count = byteCount
    }
  }

  /// Returns the authentication code of these bytes. Source: RFC 2104.
  ///
  /// - Parameters:
  ///   - bytes: Bytes to authenticate.
  ///   - key: Secret that both ends share, of any length.
  public func authenticationCode(of bytes: Span<UInt8>, key: Span<UInt8>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { code, count in
      var length: UInt32 = 0
      // An empty key needs an address, too: without one OpenSSL takes the key of an earlier call.
      let result = [0].withUnsafeBufferPointer { (none: UnsafeBufferPointer<UInt8>) in
        bytes.withUnsafeBufferPointer { bytes in
          key.withUnsafeBufferPointer { key in
            HMAC(
              function, key.baseAddress ?? none.baseAddress, Int32(key.count), bytes.baseAddress, bytes.count,
              code.baseAddress, &length)
          }
        }
      }
      precondition(result != nil && length == byteCount, "OpenSSL cannot authenticate")
      count = byteCount
    }
  }

  private var function: OpaquePointer {
    switch self {
    case .sha1: EVP_sha1()
    case .sha256: EVP_sha256()
    case .sha384: EVP_sha384()
    case .sha512: EVP_sha512()
    }
  }
}
