internal import COpenSSL

/// HMAC with SHA-1 under one key, for SRTP's older suites.
///
/// The two pads of the key are hashed once. A code continues from copies of the two states: OpenSSL's own interface
/// allocates for each code.
///
/// Thread: one at a time.
///
/// Source: RFC 2104.
package struct HMACSHA1: ~Copyable {
  /// Bytes of a code.
  package static let byteCount = 20
  private static let blockByteCount = 64

  private let inner: UnsafeMutablePointer<SHA_CTX>
  private let outer: UnsafeMutablePointer<SHA_CTX>
  private let state: UnsafeMutablePointer<SHA_CTX>

  /// Creates the state of a key of at most 64 bytes.
  package init(key: UnsafeRawBufferPointer) {
    precondition(key.count <= Self.blockByteCount, "a key of HMAC-SHA1 has at most 64 bytes here")
    inner = .allocate(capacity: 1)
    outer = .allocate(capacity: 1)
    state = .allocate(capacity: 1)
    state.initialize(to: SHA_CTX())
    withUnsafeTemporaryAllocation(byteCount: Self.blockByteCount, alignment: 8) { block in
      for (pad, target) in [(UInt8(0x36), inner), (0x5C, outer)] {
        for index in block.indices { block[index] = pad ^ (index < key.count ? key[index] : 0) }
        target.initialize(to: SHA_CTX())
        openssl_sha1_begin(target)
        openssl_sha1_update(target, block.baseAddress, block.count)
      }
      OPENSSL_cleanse(block.baseAddress, block.count)
    }
  }

  deinit {
    for state in [inner, outer, state] {
      OPENSSL_cleanse(state, MemoryLayout<SHA_CTX>.size)
      state.deallocate()
    }
  }

  /// Writes the code of two parts of a text, one behind the other.
  ///
  /// - Parameter code: place of the code, 20 bytes.
  package func authenticate(
    _ parts: (UnsafeRawBufferPointer, UnsafeRawBufferPointer), into code: UnsafeMutableRawPointer
  ) {
    let hash = code.assumingMemoryBound(to: UInt8.self)
    state.pointee = inner.pointee
    openssl_sha1_update(state, parts.0.baseAddress, parts.0.count)
    openssl_sha1_update(state, parts.1.baseAddress, parts.1.count)
    openssl_sha1_end(state, hash)
    state.pointee = outer.pointee
    openssl_sha1_update(state, code, Self.byteCount)
    openssl_sha1_end(state, hash)
  }
}
