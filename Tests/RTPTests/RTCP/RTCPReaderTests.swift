import RTP
import RTPTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RTCPReaderTests {
  /// Type and size of every packet.
  private func packets(_ datagram: [UInt8], form: RTCPReader.Form = .reducedSizeToo) throws -> [[Int]] {
    try withGuarded(datagram) { memory in
      var reader = try RTCPReader(UnsafeRawBufferPointer(memory), form: form)
      var packets: [[Int]] = []
      while let packet = reader.next() { packets.append([Int(packet.type.rawValue), packet.bytes.count]) }
      return packets
    }
  }

  @Test("a compound packet of another program is taken apart")
  func compound() throws {
    #expect(try packets(RTCPVectors.gstreamer, form: .compound) == [[200, 28], [202, 52]])
    #expect(try packets(RTCPVectors.ffmpeg, form: .compound) == [[200, 28]])
    let datagram = RTCPVectors.receiverReport + RTCPVectors.description + RTCPVectors.nack + RTCPVectors.bye
    #expect(try packets(datagram, form: .compound) == [[201, 32], [202, 52], [205, 52], [203, 12]])
  }

  @Test("reduced-size RTCP is accepted only if agreed on")
  func reducedSize() throws {
    for datagram in [RTCPVectors.nack, RTCPVectors.description, RTCPVectors.bye, RTCPVectors.payloadFeedback] {
      #expect(try packets(datagram).count == 1)
      #expect(throws: RTCPError.firstPacket) { try packets(datagram, form: .compound) }
    }
  }

  @Test("unknown types are skipped by their length")
  func unknown() throws {
    #expect(try packets(bytes("80c9000100000001 80D0 0001 12345678 80cb0000")) == [[201, 8], [0, 8], [203, 4]])
  }

  @Test("a datagram cut anywhere but between packets is refused")
  func truncated() throws {
    let datagram = RTCPVectors.gstreamer
    for count in 0..<datagram.count {
      if count == 28 { continue }
      #expect(throws: RTCPError.truncated, "cut after \(count) bytes") { try packets(Array(datagram[..<count])) }
    }
    #expect(try packets(Array(datagram[..<28])) == [[200, 28]])
    #expect(throws: RTCPError.truncated) { try packets(datagram + [0x80]) }
    #expect(throws: RTCPError.truncated) { try packets(bytes("80C9 FFFF 00000001")) }
  }

  @Test("every packet must be version 2", arguments: [0x00, 0x40, 0xC0] as [UInt8])
  func version(bits: UInt8) {
    for start in [0, 28] {
      var datagram = RTCPVectors.gstreamer
      datagram[start] = datagram[start] & 0x3F | bits
      #expect(throws: RTCPError.version) { try packets(datagram) }
    }
  }

  @Test("padding is the last packet's only, a multiple of 4, and within it")
  func padding() throws {
    // A BYE of eight bytes with four and with eight of padding.
    let report = RTCPVectors.emptyReceiverReport
    #expect(try packets(report + bytes("A1CB0002 00000007 00000004"), form: .compound) == [[201, 8], [203, 8]])
    #expect(
      try packets(report + bytes("A1CB0003 00000007 00000000 00000008"), form: .compound) == [[201, 8], [203, 8]])
    for count in [0, 1, 2, 3, 5, 12, 255] as [UInt8] {
      #expect(throws: RTCPError.padding, "\(count) bytes") {
        try packets(report + bytes("A1CB0002 00000007 000000") + [count])
      }
    }
    #expect(throws: RTCPError.padding) { try packets(report + bytes("A1CB0002 00000007 00000004") + report) }
    // RFC 3550's check asks for none in the first packet.
    #expect(throws: RTCPError.firstPacket) { try packets(bytes("A0C90002 00000001 00000004"), form: .compound) }
    #expect(try packets(bytes("A0C90002 00000001 00000004")) == [[201, 8]])
    // A header alone has no room for any.
    #expect(throws: RTCPError.padding) { try packets(bytes("A0CB0000")) }
  }

  @Test("mutated datagrams are never read beyond their end")
  func noise() {
    var accepted = 0
    forEachMutation(of: RTCPVectors.all + [RTCPVectors.gstreamer + RTCPVectors.nack], count: 20_000, seed: 1) {
      datagram in
      withGuarded(datagram) { memory in
        guard var reader = try? RTCPReader(UnsafeRawBufferPointer(memory)) else { return }
        accepted += 1
        while let packet = reader.next() { RTCPReading.readEverything(packet) }
      }
    }
    #expect(accepted > 500, "the mutations are too wild to reach the readers")
  }
}
