import Cryptography
import RTPTestSupport
import Testing

@testable import SRTP

/// The RFCs' own packets, which are under session keys.
@Suite(.timeLimit(.minutes(10))) struct PacketCipherTests {
  private func secret(_ bytes: [UInt8]) -> SecretMemory {
    var memory = SecretMemory(byteCount: bytes.count)
    memory.write { $0.copyBytes(from: bytes) }
    return memory
  }

  private func cipher(keyByteCount: Int, isEncrypting: Bool) -> GCMPacketCipher {
    GCMPacketCipher(
      key: secret(Array(0..<UInt8(keyByteCount))), salt: secret(bytes("517569642070726f2071756f")),
      isEncrypting: isEncrypting)
  }

  static let packet = bytes("8040f17b8041f8d35501a0b2") + Array("Gallia est omnis divisa in partes tres".utf8)
  static let report = bytes(
    "81c8000d4d6172734e5450314e545032525450200000042a0000e9304c756e61deadbeefdeadbeefdeadbeefdeadbeefdeadbeef")

  @Test(
    "RTP under AES-GCM is that of RFC 7714, sections 16.1 and 16.2",
    arguments: [
      (
        16,
        "8040f17b8041f8d35501a0b2f24de3a3fb34de6cacba861c9d7e4bcabe633bd50d294e6f42a5f47a51c7d19b36de3adf8833"
          + "899d7f27beb16a9152cf765ee4390cce"
      ),
      (
        32,
        "8040f17b8041f8d35501a0b232b1de78a822fe12ef9f78fa332e33aab18012389a58e2f3b50b2a0276ffae0f1ba63799b87b"
          + "7aa3db36dfffd6b0f9bb7878d7a76c13"
      ),
    ])
  func gcm(keyByteCount: Int, expected: String) {
    var memory = Self.packet + [UInt8](repeating: 0, count: 16)
    let count = Self.packet.count
    memory.withUnsafeMutableBytes {
      cipher(keyByteCount: keyByteCount, isEncrypting: true).seal(
        $0.baseAddress!, headerByteCount: 12, byteCount: count, ssrc: 0x5501_A0B2, index: 0xF17B)
    }
    #expect(memory == bytes(expected))
    let opened = memory.withUnsafeMutableBytes {
      cipher(keyByteCount: keyByteCount, isEncrypting: false).open(
        $0.baseAddress!, headerByteCount: 12, byteCount: $0.count, ssrc: 0x5501_A0B2, index: 0xF17B)
    }
    #expect(opened && Array(memory.prefix(count)) == Self.packet)
  }

  @Test("RTCP under AES-GCM is that of RFC 7714, section 17.1")
  func gcmReport() {
    var memory = Self.report + [UInt8](repeating: 0, count: 20)
    let count = Self.report.count
    memory.withUnsafeMutableBytes {
      cipher(keyByteCount: 16, isEncrypting: true).sealRTCP(
        $0.baseAddress!, byteCount: count, ssrc: 0x4D61_7273, index: 0x5D4)
    }
    #expect(
      memory
        == bytes(
          "81c8000d4d61727363e94885dcdab67ca727d7662f6b7e997ff5c0f76c06f32dc676a5f1730d6fda4ce09b4686303ded0bb9275b"
            + "c84aa45896cf4d2fc5abf87245d9eade800005d4"))
  }

  @Test("a false tag leaves no plain text in memory", arguments: [true, false])
  func noPlainText(isGCM: Bool) {
    let other = CounterPacketCipher(
      key: secret(Array(0..<16)), authentication: secret(Array(0..<20)), salt: secret(Array(0..<14)), tagByteCount: 10)
    let sender: any PacketCipher = isGCM ? cipher(keyByteCount: 16, isEncrypting: true) : other
    let receiver: any PacketCipher = isGCM ? cipher(keyByteCount: 16, isEncrypting: false) : other
    let count = Self.packet.count
    let total = count + (isGCM ? 16 : 10)
    var memory = Self.packet + [UInt8](repeating: 0, count: 16)
    memory.withUnsafeMutableBytes { memory in
      sender.seal(memory.baseAddress!, headerByteCount: 12, byteCount: count, ssrc: 1, index: 2)
      memory[total - 1] ^= 1
      #expect(!receiver.open(memory.baseAddress!, headerByteCount: 12, byteCount: total, ssrc: 1, index: 2))
    }
    let shared = (12..<count).count { memory[$0] == Self.packet[$0] }
    #expect(shared < 6, "\(shared) of 38 bytes of the text")
  }

  @Test("the key stream of AES in counter mode is that of RFC 3711, B.2")
  func keyStream() {
    var stream = [UInt8](repeating: 0, count: 48)
    let cipher = secret(bytes("2B7E151628AED2A6ABF7158809CF4F3C")).read { AESCounterMode(key: $0) }
    bytes("F0F1F2F3F4F5F6F7F8F9FAFBFCFD0000").withUnsafeBytes { counter in
      stream.withUnsafeMutableBytes { cipher.apply($0, counter: counter.baseAddress!) }
    }
    #expect(
      stream
        == bytes(
          "E03EAD0935C95E80E166B16DD92B4EB4D23513162B02D0F72A43A2FE4A5F97AB41E95B3BB0A2E8DD477901E4FCA894C0"))
  }

  @Test("derived keys are those of RFC 3711, B.3")
  func derivation() throws {
    let key = try SRTPKey(
      .aesCM128HMACSHA1_80, bytes: bytes("E1F97A0D3E018BE0D64FA32C06DE41390EC675AD498AFEEBB6960B3AABE6").span.bytes)
    var keys = KeyDerivation(key)
    #expect(keys.key(.rtpEncryption, byteCount: 16).read { Array($0) } == bytes("C61E7A93744F39EE10734AFE3FF7A087"))
    #expect(keys.key(.rtpSalt, byteCount: 14).read { Array($0) } == bytes("30CBBC08863D8C85D49DB34A9AE1"))
    #expect(
      keys.key(.rtpAuthentication, byteCount: 20).read { Array($0) }
        == bytes("CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4"))
  }

  @Test("a key whose numbers are used up protects nothing more")
  func exhausted() throws {
    var random = SystemRandomNumberGenerator()
    var session = SRTPSession(SRTPKey(.aeadAES128GCM, using: &random), .outbound)
    func packet(_ number: UInt16) -> [UInt8] {
      [0x80, 96, UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: 1, count: 20)
    }
    _ = try protect(packet(65_000), with: &session)
    let known = session.state(of: 0x0101_0101)
    let source = try #require(known)
    source.packets.insert(SRTPSession.highestIndex - 1)
    _ = try protect(packet(0xFFFF), with: &session)
    #expect(throws: SRTPError.keyExhausted) { try protect(packet(0), with: &session) }
    source.rtcpIndex = SRTPSession.highestRTCPIndex - 1
    let report: [UInt8] = [0x80, 201, 0, 1, 1, 1, 1, 1]
    _ = try protectRTCP(report, with: &session)
    #expect(throws: SRTPError.keyExhausted) { try protectRTCP(report, with: &session) }
  }
}
