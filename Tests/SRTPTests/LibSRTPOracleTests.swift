import RTPTestSupport
import SRTP
import TestSupport
import Testing

/// The same packets through this module and libsrtp, in both directions.
@Suite(.timeLimit(.minutes(10))) struct LibSRTPOracleTests {
  private var random = SeededGenerator(seed: 50)

  private mutating func key(_ suite: SRTPSuite) -> [UInt8] {
    (0..<(suite.keyByteCount + suite.saltByteCount)).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// A packet with up to 15 sources, maybe an extension, and a random payload.
  private mutating func packet(_ number: Int, ssrc: UInt32) -> [UInt8] {
    let sources = UInt8.random(in: 0...15, using: &random)
    let hasExtension = Bool.random(using: &random)
    var packet: [UInt8] = [0x80 | (hasExtension ? 0x10 : 0) | sources, UInt8.random(in: 0...255, using: &random)]
    packet += [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    packet += (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
    packet += [UInt8(ssrc >> 24), UInt8(ssrc >> 16 & 255), UInt8(ssrc >> 8 & 255), UInt8(ssrc & 255)]
    packet += (0..<(4 * Int(sources))).map { _ in UInt8.random(in: 0...255, using: &random) }
    if hasExtension {
      let words = UInt8.random(in: 0...3, using: &random)
      packet += [0xBE, 0xDE, 0, words] + [UInt8](repeating: 0x10, count: 4 * Int(words))
    }
    let length = Int.random(in: 0...300, using: &random)
    return packet + (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private mutating func report(ssrc: UInt32) -> [UInt8] {
    let words = Int.random(in: 1...60, using: &random)
    return [0x80, 201, 0, UInt8(words), UInt8(ssrc >> 24), UInt8(ssrc >> 16 & 255), UInt8(ssrc >> 8 & 255)]
      + [UInt8(ssrc & 255)] + (0..<(4 * (words - 1))).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Numbers of a source over two wraps: most follow each other, some are left out, late, or come twice.
  private mutating func numbers() -> [Int] {
    var numbers: [Int] = []
    var next = 60_000
    while next < 140_000 {
      next += Int.random(in: 0..<50, using: &random) == 0 ? Int.random(in: 1...9_000, using: &random) : 1
      numbers.append(next)
      if Int.random(in: 0..<5, using: &random) == 0 {
        numbers.append(max(60_000, next - Int.random(in: 0...1_200, using: &random)))
      }
      if numbers.count > 3_000 { next += 9_000 }
    }
    return numbers
  }

  @Test("sent packets are those of libsrtp, byte by byte, or refused by both", arguments: SRTPSuite.allCases)
  func sends(suite: SRTPSuite) throws {
    var test = self
    let bytes = test.key(suite)
    var ours = SRTPSession(try SRTPKey(suite, bytes: bytes.span.bytes), .outbound)
    var theirs = try LibSRTP(suite, bytes, isOutbound: true)
    var refused = 0
    for number in test.numbers() {
      let ssrc = UInt32.random(in: 1...3, using: &test.random)
      let packet = test.packet(number, ssrc: ssrc)
      let expected = try? theirs.apply(.protect, packet)
      if expected == nil { refused += 1 }
      #expect((try? protect(packet, with: &ours)) == expected, "packet \(number) of source \(ssrc)")
      guard number % 7 == 0 else { continue }
      let report = test.report(ssrc: ssrc)
      #expect(try protectRTCP(report, with: &ours) == theirs.apply(.protectRTCP, report))
    }
    #expect(refused > 20)
  }

  @Test("received packets are accepted and refused as by libsrtp", arguments: SRTPSuite.allCases)
  func receives(suite: SRTPSuite) throws {
    var test = self
    let bytes = test.key(suite)
    // A sender for each number that comes twice: the network repeats a packet as it was.
    var sender = try LibSRTP(suite, bytes, isOutbound: true)
    var ours = SRTPSession(try SRTPKey(suite, bytes: bytes.span.bytes), .inbound)
    var theirs = try LibSRTP(suite, bytes, isOutbound: false)
    var sent: [[UInt8]] = []
    var outcomes = (accepted: 0, refused: 0)
    for number in test.numbers() {
      if let packet = try? sender.apply(.protect, test.packet(number, ssrc: 9)) { sent.append(packet) }
      guard let newest = sent.last else { continue }
      var packet = newest
      switch Int.random(in: 0..<10, using: &test.random) {
      case 0: packet = sent[Int.random(in: max(0, sent.count - 1_500)..<sent.count, using: &test.random)]
      case 1:
        let index = Int.random(in: 1..<packet.count, using: &test.random)
        packet[index] ^= 1 << UInt8.random(in: 0...7, using: &test.random)
      case 2: packet.removeLast(Int.random(in: 1...packet.count, using: &test.random))
      default: break
      }
      let expected = try? theirs.apply(.unprotect, packet)
      if expected == nil { outcomes.refused += 1 } else { outcomes.accepted += 1 }
      #expect((try? unprotect(packet, with: &ours)) == expected, "packet \(number)")
      guard number % 7 == 0 else { continue }
      let plain = test.report(ssrc: 9)
      var report = try sender.apply(.protectRTCP, plain)
      #expect(try theirs.apply(.unprotectRTCP, report) == plain)
      let again = report
      report[Int.random(in: 4..<report.count, using: &test.random)] ^= 4
      #expect((try? unprotectRTCP(report, with: &ours)) == nil)
      #expect(try unprotectRTCP(again, with: &ours) == plain)
      #expect(throws: SRTPError.replay) { try unprotectRTCP(again, with: &ours) }
    }
    #expect(outcomes.accepted > 150 && outcomes.refused > 150)
  }
}
