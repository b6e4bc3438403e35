import RTP
import RTPTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RTCPWriterTests {
  private static let block = ReportBlock(
    ssrc: 0x1122_3344, fractionLost: 64, cumulativeLost: -2, extendedHighestSequenceNumber: 0x1_FFFE, jitter: 480,
    lastSenderReport: 0xB705_2000, delaySinceLastSenderReport: 0x5_4000)
  private static let report = SenderReport(
    ssrc: 0xDEAD_BEEF, ntp: NTPTimestamp(rawValue: 0xB44D_B705_2000_0000), rtpTimestamp: 0x89AB_CDEF,
    packetCount: 1000, octetCount: 80_000)

  /// What is written into `room` bytes; one byte further would end the run.
  private func written(room: Int = 1500, _ body: (inout RTCPWriter) throws -> Void) rethrows -> [UInt8] {
    try withGuarded([UInt8](repeating: 0x55, count: room)) { memory in
      var writer = RTCPWriter(into: memory)
      try body(&writer)
      return Array(memory[..<writer.byteCount])
    }
  }

  @Test("reports are the bytes that aiortc writes")
  func reports() throws {
    let sender = try written { writer in
      try writer.append(Self.report)
      try writer.append(Self.block)
      var extreme = ReportBlock(
        ssrc: .max, fractionLost: 255, cumulativeLost: 8_388_607, extendedHighestSequenceNumber: .max, jitter: .max,
        lastSenderReport: 0, delaySinceLastSenderReport: 0)
      // More than 24 bits hold is as much as they hold.
      extreme.cumulativeLost = 1 << 30
      try writer.append(extreme)
    }
    #expect(sender == RTCPVectors.senderReport)
    let receiver = try written { writer in
      try writer.appendReceiverReport(ssrc: 1)
      try writer.append(Self.block)
    }
    #expect(receiver == RTCPVectors.receiverReport)
    let empty = try written { try $0.appendReceiverReport(ssrc: 1) }
    #expect(empty == RTCPVectors.emptyReceiverReport)
  }

  @Test("a NACK is the bytes that aiortc writes")
  func nack() throws {
    let pairs = [
      (12, 0), (32, 0x40), (54, 0), (76, 0), (110, 0x1000), (142, 0), (183, 8), (223, 0x1000), (271, 0), (292, 0),
    ].map { NackPair(packetID: $0.0, bitmask: $0.1) }
    let nack = try written { writer in
      try writer.appendNack(senderSSRC: 1, mediaSSRC: 0xDEAD_BEEF, pairs[0])
      for pair in pairs.dropFirst() { try writer.append(pair) }
    }
    #expect(nack == RTCPVectors.nack)
  }

  @Test("a canonical name of any length is followed by one to four zeros", arguments: [0, 1, 2, 3, 4, 5, 28, 255])
  func names(length: Int) throws {
    let name = [UInt8](repeating: 0x61, count: length)
    let datagram = try written { writer in
      try name.withUnsafeBytes { name in try writer.appendCanonicalName(name, ssrc: 7) }
    }
    // By hand: header, source, item, zeros up to a word.
    var expected = bytes("81CA 0000 00000007 01") + [UInt8(length)] + name + [0]
    while expected.count % 4 != 0 { expected.append(0) }
    expected[3] = UInt8(expected.count / 4 - 1)
    #expect(datagram == expected)
  }

  @Test("a BYE has the bytes of RFC 3550, with a reason and without")
  func bye() throws {
    #expect(try written { try $0.appendBye(ssrc: 7) } == bytes("81CB 0001 00000007"))
    let reason = Array("sleep".utf8)
    let datagram = try written { writer in
      try reason.withUnsafeBytes { reason in try writer.appendBye(ssrc: 7, reason: reason) }
    }
    #expect(datagram == bytes("81CB 0003 00000007 05 736C656570 0000"))
  }

  @Test("a compound packet of all kinds is read as it was written")
  func compound() throws {
    let name = Array("someone@somewhere".utf8)
    let datagram = try written { writer in
      try writer.append(Self.report)
      try writer.append(Self.block)
      try name.withUnsafeBytes { name in try writer.appendCanonicalName(name, ssrc: 0xDEAD_BEEF) }
      try writer.appendNack(senderSSRC: 1, mediaSSRC: 2, NackPair(packetID: 65_535, bitmask: 1))
      try writer.appendBye(ssrc: 0xDEAD_BEEF)
    }
    var types: [RTCPPacketType] = []
    try datagram.withUnsafeBytes { bytes in
      var reader = try RTCPReader(bytes, form: .compound)
      while let packet = reader.next() {
        types.append(packet.type)
        if case .senderReport = packet.type {
          let (report, block) = (try packet.senderReport(), try packet.reportBlock(0))
          #expect(report == Self.report && block == Self.block)
        }
        if packet.isNack {
          let pair = try packet.nackPair(0)
          #expect(pair == NackPair(packetID: 65_535, bitmask: 1))
        }
      }
    }
    #expect(types == [.senderReport, .sourceDescription, .transportFeedback, .bye])
  }

  @Test("an item that does not fit is refused and leaves the datagram valid", arguments: 0..<100)
  func room(room: Int) throws {
    let name = Array("name".utf8)
    let datagram = written(room: room) { writer in
      for step in 0..<6 {
        let before = writer.byteCount
        do {
          switch step {
          case 0: try writer.appendReceiverReport(ssrc: 1)
          case 1: try writer.append(Self.block)
          case 2: try name.withUnsafeBytes { name in try writer.appendCanonicalName(name, ssrc: 1) }
          case 3: try writer.appendNack(senderSSRC: 1, mediaSSRC: 2, NackPair(packetID: 1, bitmask: 0))
          case 4: try writer.append(NackPair(packetID: 20, bitmask: 0))
          default: try writer.appendBye(ssrc: 1)
          }
        } catch {
          let reason = error as? RTCPError
          #expect(reason == .bufferTooShort || reason == .order)
          #expect(writer.byteCount == before)
        }
      }
    }
    #expect(datagram.count % 4 == 0 && datagram.count <= room)
    if !datagram.isEmpty {
      #expect(throws: Never.self) { try datagram.withUnsafeBytes { _ = try RTCPReader($0, form: .reducedSizeToo) } }
    }
  }

  @Test("31 blocks fit into a report, a 32nd does not")
  func tooManyBlocks() throws {
    let datagram = try written { writer in
      try writer.appendReceiverReport(ssrc: 1)
      for _ in 0..<31 { try writer.append(Self.block) }
      #expect(throws: RTCPError.tooMany) { try writer.append(Self.block) }
    }
    #expect(datagram.count == 8 + 31 * 24 && datagram[0] == 0x9F)
  }

  @Test("blocks need a report, pairs need a NACK, and names have 255 bytes")
  func misuse() throws {
    _ = try written { writer in
      #expect(throws: RTCPError.order) { try writer.append(Self.block) }
      #expect(throws: RTCPError.order) { try writer.append(NackPair(packetID: 1, bitmask: 0)) }
      try writer.appendBye(ssrc: 1)
      #expect(throws: RTCPError.order) { try writer.append(Self.block) }
      let long = [UInt8](repeating: 0x61, count: 256)
      long.withUnsafeBytes { long in
        #expect(throws: RTCPError.tooMany) { try writer.appendCanonicalName(long, ssrc: 1) }
        #expect(throws: RTCPError.tooMany) { try writer.appendBye(ssrc: 1, reason: long) }
      }
    }
  }
}
