import RTP
import RTPTestSupport
import SRTP
import TestSupport
import Testing

/// Receivers that join when the sender's number has wrapped. The sender has counted its wraps.
@Suite(.timeLimit(.minutes(10))) struct RolloverCounterSearchTests {
  private func key(_ suite: SRTPSuite, seed: UInt64 = 1) -> SRTPKey {
    var random = SeededGenerator(seed: seed)
    return SRTPKey(suite, using: &random)
  }

  /// Packets that are `step` numbers apart, at most half of all; protected in order, as a sender that goes on would.
  private func packets(
    _ count: Int, step: Int, ssrc: UInt32 = 7, with session: inout SRTPSession
  ) throws -> [[UInt8]] {
    try (0..<count).map { index in
      var packet = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 72)
      let header = RTPHeader(
        marker: false, payloadType: 96, sequenceNumber: UInt16(truncatingIfNeeded: index * step), timestamp: 0,
        ssrc: ssrc)
      try packet.withUnsafeMutableBytes { _ = try header.write(to: $0) }
      return try protect(packet, with: &session)
    }
  }

  /// Which packets are opened.
  private func opened(_ packets: [[UInt8]], with session: inout SRTPSession) -> [Bool] {
    packets.map { packet in
      var memory = [UInt32](repeating: 0, count: 100)
      return memory.withUnsafeMutableBytes { memory in
        packet.withUnsafeBytes { (try? session.unprotect($0, into: memory)) != nil }
      }
    }
  }

  @Test(
    "a late receiver opens packets once it has seen as many as the wraps",
    .shows("rtp: late over SRTP"),
    arguments: SRTPSuite.allCases, [0, 1, 5, 66])
  func joins(suite: SRTPSuite, wraps: Int) throws {
    var sender = SRTPSession(key(suite), .outbound)
    // Four packets a wrap.
    _ = try packets(4 * wraps, step: 16_384, with: &sender)
    let later = try packets(wraps + 8, step: 1, with: &sender)
    var receiver = SRTPSession(key(suite), .inbound)
    let expected = later.indices.map { $0 >= max(0, wraps - 1) }
    #expect(opened(later, with: &receiver) == expected)
    #expect(opened(Array(later.suffix(8)), with: &receiver) == Array(repeating: false, count: 8))
  }

  @Test("a source that wraps while it is heard stays readable", .shows("rtp: late over SRTP"))
  func goesOn() throws {
    var sender = SRTPSession(key(.aeadAES128GCM), .outbound)
    _ = try packets(8, step: 16_384, with: &sender)
    let later = try packets(16, step: 16_384, with: &sender)
    var receiver = SRTPSession(key(.aeadAES128GCM), .inbound)
    #expect(opened(later, with: &receiver) == [false] + Array(repeating: true, count: 15))
  }

  @Test(
    "forged packets do not keep new or wrapped sources out",
    .shows("rtp: late over SRTP"))
  func forged() throws {
    var stranger = SRTPSession(key(.aesCM128HMACSHA1_80, seed: 2), .outbound)
    let forged = try packets(4, step: 1, with: &stranger)
    var receiver = SRTPSession(key(.aesCM128HMACSHA1_80), .inbound)
    #expect(!opened(forged, with: &receiver).contains(true))
    var sender = SRTPSession(key(.aesCM128HMACSHA1_80), .outbound)
    #expect(try opened(packets(3, step: 1, with: &sender), with: &receiver) == [true, true, true])
    // Seven others come between its packets.
    var late = SRTPSession(key(.aesCM128HMACSHA1_80), .outbound)
    _ = try packets(8, step: 16_384, ssrc: 9, with: &late)
    let others = try (10..<UInt32(17)).flatMap { try packets(1, step: 1, ssrc: $0, with: &stranger) }
    for (index, packet) in try packets(4, step: 1, ssrc: 9, with: &late).enumerated() {
      #expect(opened([packet], with: &receiver) == [index > 0])
      #expect(!opened(others, with: &receiver).contains(true))
    }
  }
}
