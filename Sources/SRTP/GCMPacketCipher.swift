import Cryptography

/// AES-GCM of SRTP.
///
///     RTP:  header, in the clear | encrypted | tag 16
///     RTCP: 8 bytes in the clear | encrypted | tag 16 | number 4
///
/// Source: RFC 7714, sections 8 and 9.
final class GCMPacketCipher: PacketCipher {
  private let cipher: AESGCM
  private let salt: SecretMemory

  init(key: borrowing SecretMemory, salt: consuming SecretMemory, isEncrypting: Bool) {
    cipher = key.read { AESGCM(key: $0, isEncrypting: isEncrypting) }
    self.salt = salt
  }

  func seal(_ memory: UnsafeMutableRawPointer, headerByteCount: Int, byteCount: Int, ssrc: UInt32, index: UInt64) {
    withNonce(ssrc, index) { nonce in
      cipher.seal(
        UnsafeMutableRawBufferPointer(start: memory + headerByteCount, count: byteCount - headerByteCount),
        nonce: nonce,
        authenticating: (
          UnsafeRawBufferPointer(start: memory, count: headerByteCount), UnsafeRawBufferPointer(start: nil, count: 0)
        ),
        tag: memory + byteCount)
    }
  }

  func open(
    _ memory: UnsafeMutableRawPointer, headerByteCount: Int, byteCount: Int, ssrc: UInt32, index: UInt64
  ) -> Bool {
    let end = byteCount - AESGCM.tagByteCount
    return withNonce(ssrc, index) { nonce in
      cipher.open(
        UnsafeMutableRawBufferPointer(start: memory + headerByteCount, count: end - headerByteCount), nonce: nonce,
        authenticating: (
          UnsafeRawBufferPointer(start: memory, count: headerByteCount), UnsafeRawBufferPointer(start: nil, count: 0)
        ),
        tag: memory + end)
    }
  }

  func sealRTCP(_ memory: UnsafeMutableRawPointer, byteCount: Int, ssrc: UInt32, index: UInt32) {
    let word = memory + byteCount + AESGCM.tagByteCount
    word.storeBytes(of: (Self.encryptionBit | index).bigEndian, as: UInt32.self)
    withNonce(ssrc, UInt64(index)) { nonce in
      cipher.seal(
        UnsafeMutableRawBufferPointer(start: memory + 8, count: byteCount - 8), nonce: nonce,
        authenticating: (
          UnsafeRawBufferPointer(start: memory, count: 8), UnsafeRawBufferPointer(start: word, count: 4)
        ),
        tag: memory + byteCount)
    }
  }

  func openRTCP(_ memory: UnsafeMutableRawPointer, byteCount: Int, ssrc: UInt32, index: UInt32) -> Bool {
    let word = memory + rtcpIndexOffset(byteCount: byteCount)
    let tag = word - AESGCM.tagByteCount
    return withNonce(ssrc, UInt64(index)) { nonce in
      cipher.open(
        UnsafeMutableRawBufferPointer(start: memory + 8, count: tag - memory - 8), nonce: nonce,
        authenticating: (
          UnsafeRawBufferPointer(start: memory, count: 8), UnsafeRawBufferPointer(start: word, count: 4)
        ),
        tag: tag)
    }
  }

  func rtcpIndexOffset(byteCount: Int) -> Int { byteCount - 4 }

  /// Passes the nonce of a packet: two zero bytes, the SSRC and the index of 48 bits, with the salt added.
  private func withNonce<Result>(_ ssrc: UInt32, _ index: UInt64, _ body: (UnsafeRawPointer) -> Result) -> Result {
    // Sixteen bytes, of which the first four are not used.
    var nonce = (UInt64(ssrc >> 16).bigEndian, (UInt64(ssrc & 0xFFFF) << 48 | index).bigEndian)
    return withUnsafeMutableBytes(of: &nonce) { bytes in
      // 00 00 SSRC(4) index(6) in the last twelve bytes: the first word ends with 00 00 and half of the SSRC.
      let nonce = UnsafeMutableRawBufferPointer(rebasing: bytes[4...])
      salt.read { salt in for index in 0..<AESGCM.nonceByteCount { nonce[index] ^= salt[index] } }
      return body(UnsafeRawPointer(nonce.baseAddress!))
    }
  }
}
