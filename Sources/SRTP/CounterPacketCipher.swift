import Cryptography

/// AES in counter mode with HMAC-SHA1 of SRTP.
///
///     RTP:  header, in the clear | encrypted | tag 10 or 4
///     RTCP: 8 bytes in the clear | encrypted | number 4 | tag 10
///
/// The tag is compared before anything is decrypted.
///
/// Source: RFC 3711, sections 4.1.1, 4.2.1 and 3.4.
final class CounterPacketCipher: PacketCipher {
  /// Bytes of RTCP's tag.
  private static let rtcpTagByteCount = 10

  private let cipher: AESCounterMode
  private let authenticator: HMACSHA1
  private let salt: SecretMemory
  /// Bytes of RTP's tag.
  private let tagByteCount: Int

  init(
    key: borrowing SecretMemory, authentication: borrowing SecretMemory, salt: consuming SecretMemory,
    tagByteCount: Int
  ) {
    cipher = key.read { AESCounterMode(key: $0) }
    authenticator = authentication.read { HMACSHA1(key: $0) }
    self.salt = salt
    self.tagByteCount = tagByteCount
  }

  func seal(_ memory: UnsafeMutableRawPointer, headerByteCount: Int, byteCount: Int, ssrc: UInt32, index: UInt64) {
    encrypt(memory + headerByteCount, byteCount - headerByteCount, ssrc, index)
    withCode(of: memory, byteCount, rolloverCounter: UInt32(truncatingIfNeeded: index >> 16)) { code in
      (memory + byteCount).copyMemory(from: code, byteCount: tagByteCount)
    }
  }

  func open(
    _ memory: UnsafeMutableRawPointer, headerByteCount: Int, byteCount: Int, ssrc: UInt32, index: UInt64
  ) -> Bool {
    let end = byteCount - tagByteCount
    let fits = withCode(of: memory, end, rolloverCounter: UInt32(truncatingIfNeeded: index >> 16)) { code in
      Self.areEqual(code, memory + end, tagByteCount)
    }
    if fits { encrypt(memory + headerByteCount, end - headerByteCount, ssrc, index) }
    return fits
  }

  func sealRTCP(_ memory: UnsafeMutableRawPointer, byteCount: Int, ssrc: UInt32, index: UInt32) {
    encrypt(memory + 8, byteCount - 8, ssrc, UInt64(index))
    (memory + byteCount).storeBytes(of: (Self.encryptionBit | index).bigEndian, as: UInt32.self)
    withCode(of: memory, byteCount + 4, rolloverCounter: nil) { code in
      (memory + byteCount + 4).copyMemory(from: code, byteCount: Self.rtcpTagByteCount)
    }
  }

  func openRTCP(_ memory: UnsafeMutableRawPointer, byteCount: Int, ssrc: UInt32, index: UInt32) -> Bool {
    let end = byteCount - Self.rtcpTagByteCount
    let fits = withCode(of: memory, end, rolloverCounter: nil) { code in
      Self.areEqual(code, memory + end, Self.rtcpTagByteCount)
    }
    if fits { encrypt(memory + 8, end - 12, ssrc, UInt64(index)) }
    return fits
  }

  func rtcpIndexOffset(byteCount: Int) -> Int { byteCount - Self.rtcpTagByteCount - 4 }

  /// Adds the key stream. The counter is the salt of 14 bytes, with the SSRC and the index added, and two zero bytes.
  private func encrypt(_ text: UnsafeMutableRawPointer, _ byteCount: Int, _ ssrc: UInt32, _ index: UInt64) {
    var counter = (UInt64(ssrc).bigEndian, (index << 16).bigEndian)
    withUnsafeMutableBytes(of: &counter) { counter in
      salt.read { salt in for index in 0..<14 { counter[index] ^= salt[index] } }
      cipher.apply(
        UnsafeMutableRawBufferPointer(start: text, count: byteCount), counter: UnsafeRawPointer(counter.baseAddress!))
    }
  }

  private func withCode<Result>(
    of memory: UnsafeMutableRawPointer, _ byteCount: Int, rolloverCounter: UInt32?,
    _ body: (UnsafeRawPointer) -> Result
  ) -> Result {
    var code = (UInt64(0), UInt64(0), UInt64(0))
    var word = (rolloverCounter ?? 0).bigEndian
    return withUnsafeMutableBytes(of: &code) { code in
      withUnsafeBytes(of: &word) { word in
        authenticator.authenticate(
          (
            UnsafeRawBufferPointer(start: memory, count: byteCount),
            UnsafeRawBufferPointer(rebasing: word[..<(rolloverCounter == nil ? 0 : 4)])
          ), into: code.baseAddress!)
      }
      return body(UnsafeRawPointer(code.baseAddress!))
    }
  }

  private static func areEqual(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _ count: Int) -> Bool {
    ConstantTime.areEqual(
      Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(start: first, count: count)),
      Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(start: second, count: count)))
  }
}
