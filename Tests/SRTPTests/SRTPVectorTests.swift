import RTP
import RTPTestSupport
import SRTP
import Testing

/// Packets protected by an implementation from the RFCs' text, which reproduces RFC 3711's B.2 and B.3 and RFC 7714's
/// section 16: Tests/Comparisons/srtp_vectors.py. The RFCs' own packets are under session keys:
/// `PacketCipherTests`.
@Suite(.timeLimit(.minutes(10))) struct SRTPVectorTests {
  struct Vector: Sendable {
    let suite: SRTPSuite
    let key: String
    let packet: String
    let extended: String
    /// The first datagram of RTCP, which a session numbers 1.
    let report: String
  }

  static let packet = bytes("806f7ffe0000000011223344") + Array("Gallia est omnis divisa in partes tres".utf8)
  static let extended = bytes("916f0001000007801122334 40a0b0c0dbede000110aa0000") + Array("Gallia".utf8)
  static let report = bytes("80c900011122334481ca0003112233440103616263000000")

  static let vectors = [
    Vector(
      suite: .aesCM128HMACSHA1_80, key: "e1f97a0d3e018be0d64fa32c06de41390ec675ad498afeebb6960b3aabe6",
      packet: "806f7ffe0000000011223344e57c698788d7a0ddc16b8cdd5683d0fdda8eed7f809422126b36b38dd9740f4249931b7eb23bf0"
        + "3c47bf0a0211ba9b9a",
      extended: "916f000100000780112233440a0b0c0dbede000110aa0000ff74b4efbf65686146e08c9cf0182d72",
      report: "80c90001112233440ea6a5be6c592f0847df7af3dabeaf1b80000001a74001b42769c51bca99"),
    Vector(
      suite: .aeadAES128GCM, key: "e1f97a0d3e018be0d64fa32c06de41390ec675ad498afeebb6960b3a",
      packet: "806f7ffe0000000011223344dbe6876eb91df0c1b52d2b2d336323c4098012328a76b51c707cb873e6f5c0191cd9814cea120e"
        + "c16797398242469b12800fe827b43a",
      extended: "916f000100000780112233440a0b0c0dbede000110aa0000b41526e53a6a71fbff83491d457fec95f3930e9f76e8",
      report: "80c9000111223344399033840108ff3cd7c00bfe179df0940281cdfb5a8d1cf395aaaebe0e1459d180000001"),
    Vector(
      suite: .aeadAES256GCM,
      key: "e1f97a0d3e018be0d64fa32c06de41395a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a0ec675ad498afeebb6960b3a",
      packet: "806f7ffe0000000011223344ef142ba4f3955be43b907d81acfd8b45fa2b3f33c5d01514de91db49c5f548458ecd488af96331"
        + "19ed8737e6b1543fbc5802f70ebc17",
      extended: "916f000100000780112233440a0b0c0dbede000110aa0000ae98861e73b4c2b16cb30640ac5e505273cd7acccda6",
      report: "80c90001112233442fdb3effd702f6652d17dd942cba5b0c0f00930a7de24a1242179facf4c0c2e780000001"),
  ]

  private func key(_ vector: Vector) throws -> SRTPKey {
    try SRTPKey(vector.suite, text: Array(vector.key.utf8).span.bytes)
  }

  @Test("packets are protected as in the RFCs, before and after a wrap", arguments: vectors)
  func protects(vector: Vector) throws {
    var session = SRTPSession(try key(vector), .outbound)
    #expect(try protect(Self.packet, with: &session) == bytes(vector.packet))
    // On the way to the wrap.
    var between = Self.packet
    (between[2], between[3]) = (0xFF, 0xF0)
    _ = try protect(between, with: &session)
    #expect(try protect(Self.extended, with: &session) == bytes(vector.extended))
    #expect(try protectRTCP(Self.report, with: &session) == bytes(vector.report))
  }

  @Test("packets protected elsewhere are opened", arguments: vectors)
  func opens(vector: Vector) throws {
    var session = SRTPSession(try key(vector), .inbound)
    #expect(try unprotect(bytes(vector.packet), with: &session) == Self.packet)
    #expect(try unprotectRTCP(bytes(vector.report), with: &session) == Self.report)
  }
}
