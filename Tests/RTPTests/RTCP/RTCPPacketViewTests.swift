import RTP
import RTPTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RTCPPacketViewTests {
  /// Hands every packet of a datagram to `body`.
  private func read(_ datagram: [UInt8], _ body: (RTCPPacketView) throws -> Void) throws {
    try withGuarded(datagram) { memory in
      var reader = try RTCPReader(UnsafeRawBufferPointer(memory))
      while let packet = reader.next() { try body(packet) }
    }
  }

  @Test("a sender report's fields and blocks are read, with extreme losses")
  func senderReport() throws {
    try read(RTCPVectors.senderReport) { packet in
      let report = try packet.senderReport()
      #expect(
        report
          == SenderReport(
            ssrc: 0xDEAD_BEEF, ntp: NTPTimestamp(rawValue: 0xB44D_B705_2000_0000), rtpTimestamp: 0x89AB_CDEF,
            packetCount: 1000, octetCount: 80_000))
      #expect(packet.count == 2)
      let first = try packet.reportBlock(0)
      #expect(
        first
          == ReportBlock(
            ssrc: 0x1122_3344, fractionLost: 64, cumulativeLost: -2, extendedHighestSequenceNumber: 0x1_FFFE,
            jitter: 480, lastSenderReport: 0xB705_2000, delaySinceLastSenderReport: 0x5_4000))
      let second = try packet.reportBlock(1)
      #expect(
        second
          == ReportBlock(
            ssrc: .max, fractionLost: 255, cumulativeLost: 8_388_607, extendedHighestSequenceNumber: .max, jitter: .max,
            lastSenderReport: 0, delaySinceLastSenderReport: 0))
      #expect(throws: RTCPError.reportBlocks) { try packet.reportBlock(2) }
      #expect(throws: RTCPError.reportBlocks) { try packet.reportBlock(-1) }
      #expect(throws: RTCPError.otherType) { try packet.nackedSSRC() }
    }
  }

  @Test("a receiver report's blocks are those of a sender report")
  func receiverReport() throws {
    try read(RTCPVectors.receiverReport) { packet in
      let (sender, block) = (try packet.senderSSRC(), try packet.reportBlock(0))
      #expect(sender == 1 && block.ssrc == 0x1122_3344 && block.cumulativeLost == -2)
      #expect(throws: RTCPError.otherType) { try packet.senderReport() }
    }
  }

  @Test("reports that count more than they hold are refused")
  func shortReports() throws {
    var datagram = RTCPVectors.receiverReport
    datagram[0] = 0x82
    try read(datagram) { packet in
      #expect(throws: Never.self) { try packet.reportBlock(0) }
      #expect(throws: RTCPError.reportBlocks) { try packet.reportBlock(1) }
    }
    try read(bytes("80C8 0001 00000001")) { packet in
      #expect(throws: RTCPError.reportBlocks) { try packet.senderReport() }
    }
    try read(bytes("80C9 0000")) { packet in #expect(throws: RTCPError.reportBlocks) { try packet.senderSSRC() } }
  }

  /// Source, type and text of every item.
  private func items(_ datagram: [UInt8]) throws -> (list: [String], error: RTCPError?) {
    var list: [String] = []
    var failure: RTCPError?
    try read(datagram) { packet in
      guard case .sourceDescription = packet.type else { return }
      var reader = try SourceDescriptionReader(packet)
      do throws(RTCPError) {
        while let item = try reader.next() {
          list.append("\(item.ssrc) \(item.type) \(String(decoding: item.text, as: UTF8.self))")
        }
      } catch { failure = error }
    }
    return (list, failure)
  }

  @Test("names of other programs are read")
  func names() throws {
    #expect(try items(RTCPVectors.description).list == ["3735928559 1 {63f459ea-41fe-4474-9d33-9707c9ee79d1}"])
    #expect(try items(RTCPVectors.twoItems).list == ["7 1 abc", "7 2 Alice"])
    #expect(
      try items(RTCPVectors.gstreamer).list == ["176969503 1 user1813594955@host-69740c6b", "176969503 6 GStreamer"])
  }

  @Test("several sources each have a list of items that ends with zeros")
  func chunks() throws {
    // Items of 5 + 1 zero and 3 + 1, one of 4 whose end takes a word of its own, and an empty list.
    let datagram = bytes(
      "84CA 000A 00000001 0103 616263 000000 00000002 0101 78 00 00000003 0102 7879 00000000 00000004 00000000")
    let found = try items(datagram)
    #expect(found.list == ["1 1 abc", "2 1 x", "3 1 xy"] && found.error == nil)
  }

  @Test("items and lists without an end are refused, those before them are good")
  func brokenNames() throws {
    #expect(try items(bytes("81CA 0003 00000001 0103 6162 6302 05FF")) == (["1 1 abc"], .sourceDescription))
    #expect(try items(bytes("81CA 0003 00000001 0106 616263646566")) == (["1 1 abcdef"], .sourceDescription))
    #expect(try items(bytes("82CA 0003 00000001 0101 6100 00000002")) == (["1 1 a"], .sourceDescription))
    #expect(try items(bytes("82CA 0002 00000001 0101 6100")) == (["1 1 a"], .sourceDescription))
    #expect(try items(bytes("81CA 0000")) == ([], .sourceDescription))
  }

  @Test("a BYE names the leaving sources and the reason")
  func bye() throws {
    try read(RTCPVectors.bye) { packet in
      #expect(packet.count == 2)
      let sources = [try packet.leavingSSRC(0), try packet.leavingSSRC(1)]
      #expect(sources == [0xDEAD_BEEF, 7])
      let reason = try packet.leavingReason()
      #expect(reason == nil)
      #expect(throws: RTCPError.reportBlocks) { try packet.leavingSSRC(2) }
    }
    try read(bytes("81CB 0003 00000007 05 736C656570 0000")) { packet in
      let reason = try packet.leavingReason()
      #expect(reason.map { String(decoding: $0, as: UTF8.self) } == "sleep")
    }
    try read(bytes("81CB 0002 00000007 04 736C65")) { packet in
      #expect(throws: RTCPError.bye) { try packet.leavingReason() }
    }
    try read(bytes("82CB 0001 00000007")) { packet in
      #expect(throws: RTCPError.reportBlocks) { try packet.leavingSSRC(1) }
      #expect(throws: RTCPError.reportBlocks) { try packet.leavingReason() }
    }
    try read(RTCPVectors.emptyBye) { packet in #expect(packet.count == 0) }
  }

  @Test("a NACK names the packets that its writer listed")
  func nack() throws {
    try read(RTCPVectors.nack) { packet in
      #expect(packet.isNack)
      let (sender, media, count) = (try packet.senderSSRC(), try packet.nackedSSRC(), try packet.nackPairCount())
      #expect(sender == 1 && media == 0xDEAD_BEEF && count == 10)
      var lost: [UInt16] = []
      for index in 0..<count {
        let pair = try packet.nackPair(index)
        let numbers = (0...16).compactMap { pair.sequenceNumber($0) }
        #expect(numbers.count == pair.packetCount)
        lost += numbers
      }
      #expect(lost == [12, 32, 39, 54, 76, 110, 123, 142, 183, 187, 223, 236, 271, 292])
      #expect(throws: RTCPError.nack) { try packet.nackPair(10) }
    }
  }

  @Test("a NACK without pairs is refused, other feedback is not a NACK")
  func noNack() throws {
    try read(bytes("81CD 0002 00000001 00000002")) { packet in
      #expect(throws: RTCPError.nack) { try packet.nackPairCount() }
    }
    try read(bytes("81CD 0001 00000001")) { packet in #expect(throws: RTCPError.nack) { try packet.nackedSSRC() } }
    try read(bytes("8FCD 0003 00000001 00000002 00010000")) { packet in
      #expect(!packet.isNack)
      #expect(throws: RTCPError.otherType) { try packet.nackPair(0) }
    }
    try read(RTCPVectors.payloadFeedback) { packet in #expect(!packet.isNack) }
  }

  @Test("a pair reaches over the wrap of the sequence numbers")
  func wrap() {
    let pair = NackPair(packetID: 65_530, bitmask: 0x8021)
    #expect((0...16).compactMap { pair.sequenceNumber($0) } == [65_530, 65_531, 0, 10])
    #expect(pair.packetCount == 4)
    #expect(pair.sequenceNumber(17) == nil && pair.sequenceNumber(-1) == nil)
  }
}
