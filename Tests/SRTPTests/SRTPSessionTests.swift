import RTP
import RTPTestSupport
import SRTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct SRTPSessionTests {
  private func key(_ suite: SRTPSuite, seed: UInt64 = 1) -> SRTPKey {
    var random = SeededGenerator(seed: seed)
    return SRTPKey(suite, using: &random)
  }

  private func packet(_ sequenceNumber: Int, ssrc: UInt32 = 7, payloadCount: Int = 60) throws -> [UInt8] {
    var packet = [UInt8](repeating: UInt8(truncatingIfNeeded: sequenceNumber), count: 12 + payloadCount)
    let header = RTPHeader(
      marker: false, payloadType: 96, sequenceNumber: UInt16(truncatingIfNeeded: sequenceNumber),
      timestamp: UInt32(truncatingIfNeeded: sequenceNumber * 960), ssrc: ssrc)
    try packet.withUnsafeMutableBytes { _ = try header.write(to: $0) }
    return packet
  }

  @Test(
    "protected packets of every length are encrypted and opened again", arguments: SRTPSuite.allCases)
  func roundTrip(suite: SRTPSuite) throws {
    var sender = SRTPSession(key(suite), .outbound)
    var receiver = SRTPSession(key(suite), .inbound)
    for length in [0, 1, 2, 3, 15, 16, 17, 60, 1275] {
      let plain = try packet(100 + length, payloadCount: length)
      let protected = try protect(plain, with: &sender)
      #expect(protected.count == plain.count + suite.rtpOverhead)
      #expect(protected[..<12] == plain[..<12])
      if length > 8 { #expect(protected[12..<(12 + length)] != plain[12...]) }
      #expect(try unprotect(protected, with: &receiver) == plain)
    }
    for report in [RTCPVectors.emptyReceiverReport, RTCPVectors.gstreamer, RTCPVectors.nack] {
      let protected = try protectRTCP(report, with: &sender)
      #expect(protected.count == report.count + suite.rtcpOverhead)
      #expect(try unprotectRTCP(protected, with: &receiver) == report)
    }
  }

  @Test("a packet changed in any byte, or under another key, is refused", arguments: SRTPSuite.allCases)
  func authentication(suite: SRTPSuite) throws {
    var sender = SRTPSession(key(suite), .outbound)
    var receiver = SRTPSession(key(suite), .inbound)
    let protected = try protect(try packet(1, payloadCount: 20), with: &sender)
    for index in protected.indices {
      var changed = protected
      changed[index] ^= 0x10
      // A change of the header's first byte may also make its lengths lie.
      if index == 0 {
        #expect(throws: SRTPError.self) { try unprotect(changed, with: &receiver) }
      } else {
        #expect(throws: SRTPError.authentication, "byte \(index)") { try unprotect(changed, with: &receiver) }
      }
    }
    let report = try protectRTCP(RTCPVectors.receiverReport, with: &sender)
    for index in 1..<report.count {
      var changed = report
      changed[index] ^= 0x10
      #expect(throws: SRTPError.self, "byte \(index)") { try unprotectRTCP(changed, with: &receiver) }
    }
    var stranger = SRTPSession(key(suite, seed: 2), .inbound)
    #expect(throws: SRTPError.authentication) { try unprotect(protected, with: &stranger) }
    #expect(throws: SRTPError.authentication) { try unprotectRTCP(report, with: &stranger) }
    // The attempts have not spoilt anything.
    #expect(throws: Never.self) { try unprotect(protected, with: &receiver) }
    #expect(throws: Never.self) { try unprotectRTCP(report, with: &receiver) }
  }

  @Test("no packet is accepted twice, and order does not matter within 1024", arguments: SRTPSuite.allCases)
  func replay(suite: SRTPSuite) throws {
    var sender = SRTPSession(key(suite), .outbound)
    var receiver = SRTPSession(key(suite), .inbound)
    let packets = try (0..<1100).map { try protect(try packet($0), with: &sender) }
    _ = try unprotect(packets[1099], with: &receiver)
    for index in [1098, 500, 1099 - 1023] {
      #expect(throws: Never.self, "packet \(index)") { try unprotect(packets[index], with: &receiver) }
      #expect(throws: SRTPError.replay, "packet \(index) again") { try unprotect(packets[index], with: &receiver) }
    }
    #expect(throws: SRTPError.replay) { try unprotect(packets[10], with: &receiver) }
    let report = try protectRTCP(RTCPVectors.receiverReport, with: &sender)
    _ = try unprotectRTCP(report, with: &receiver)
    #expect(throws: SRTPError.replay) { try unprotectRTCP(report, with: &receiver) }
  }

  @Test("the sender does not protect a number twice", arguments: SRTPSuite.allCases)
  func reuse(suite: SRTPSuite) throws {
    var sender = SRTPSession(key(suite), .outbound)
    _ = try protect(try packet(5), with: &sender)
    #expect(throws: SRTPError.replay) { try protect(try packet(5), with: &sender) }
    // Another source may use it.
    #expect(throws: Never.self) { try protect(try packet(5, ssrc: 8), with: &sender) }
  }

  @Test("sequence numbers wrap, with packets lost, late and doubled at the edge", arguments: SRTPSuite.allCases)
  func wrap(suite: SRTPSuite) throws {
    var sender = SRTPSession(key(suite), .outbound)
    var receiver = SRTPSession(key(suite), .inbound)
    let numbers = Array(65_000..<65_600) + Array(stride(from: 66_000, to: 140_000, by: 1000))
    let plain = try numbers.map { try packet($0) }
    let protected = try plain.map { try protect($0, with: &sender) }
    var order = Array(numbers.indices)
    order.swapAt(535, 537)
    order.remove(at: 536)
    for index in order { #expect(try unprotect(protected[index], with: &receiver) == plain[index]) }
    #expect(throws: SRTPError.replay) { try unprotect(protected[535], with: &receiver) }
  }

  @Test("a source that begins below 32768 is opened by a late receiver")
  func sequenceStart() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<1000 { #expect(SRTPSession.initialSequenceNumber(using: &random) < 32_768) }
    var sender = SRTPSession(key(.aeadAES128GCM), .outbound)
    let packets = try stride(from: 32_767, to: 65_530, by: 100).map { try protect(try packet($0), with: &sender) }
    var receiver = SRTPSession(key(.aeadAES128GCM), .inbound)
    #expect(throws: Never.self) { try unprotect(packets.last!, with: &receiver) }
  }

  @Test("memory too short for the tag is not changed", arguments: SRTPSuite.allCases)
  func room(suite: SRTPSuite) throws {
    var sender = SRTPSession(key(suite), .outbound)
    var memory = try packet(1) + [UInt8](repeating: 0, count: suite.rtcpOverhead)
    let before = memory
    memory.withUnsafeMutableBytes { memory in
      let short = UnsafeMutableRawBufferPointer(rebasing: memory[..<(72 + suite.rtpOverhead - 1)])
      #expect(throws: SRTPError.bufferTooShort) { try sender.protect(short, byteCount: 72) }
      let shortReport = UnsafeMutableRawBufferPointer(rebasing: memory[..<(72 + suite.rtcpOverhead - 1)])
      #expect(throws: SRTPError.bufferTooShort) { try sender.protectRTCP(shortReport, byteCount: 72) }
    }
    #expect(memory == before)
  }

  @Test("mutated packets are never accepted or read beyond their end", arguments: SRTPSuite.allCases)
  func noise(suite: SRTPSuite) throws {
    var sender = SRTPSession(key(suite), .outbound)
    var receiver = SRTPSession(key(suite), .inbound)
    let packets = [
      try protect(try packet(1), with: &sender), try protect(try packet(2, payloadCount: 0), with: &sender),
      try protectRTCP(RTCPVectors.receiverReport, with: &sender),
    ]
    for packet in packets[..<2] { _ = try unprotect(packet, with: &receiver) }
    _ = try unprotectRTCP(packets[2], with: &receiver)
    var accepted = 0
    forEachMutation(of: packets, count: 5000, seed: 4) { packet in
      if (try? unprotect(packet, with: &receiver)) != nil { accepted += 1 }
      if (try? unprotectRTCP(packet, with: &receiver)) != nil { accepted += 1 }
    }
    #expect(accepted == 0)
  }
}
