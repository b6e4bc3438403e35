import RTP
import Testing

@Suite(.timeLimit(.minutes(10))) struct ReceiverReferenceTimeTests {
  private func written(_ body: (inout RTCPWriter) throws -> Void) throws -> [UInt8] {
    var memory = [UInt8](repeating: 0xEE, count: 128)
    let count = try memory.withUnsafeMutableBytes { bytes in
      var writer = RTCPWriter(into: bytes)
      try body(&writer)
      return writer.byteCount
    }
    return Array(memory[..<count])
  }

  private func view<Value>(_ bytes: [UInt8], _ body: (RTCPPacketView) throws -> Value) throws -> Value {
    try bytes.withUnsafeBytes { bytes in
      var reader = try RTCPReader(bytes)
      guard let packet = reader.next() else { throw RTCPError.truncated }
      return try body(packet)
    }
  }

  @Test("a time is written as RFC 3611, section 4.4, draws it, and read back")
  func reference() throws {
    let ntp = NTPTimestamp(rawValue: 0x0102_0304_0506_0708)
    let bytes = try written { try $0.appendReceiverReference(ssrc: 0xAABB_CCDD, ntp) }
    #expect(
      bytes == [
        0x80, 207, 0, 4, 0xAA, 0xBB, 0xCC, 0xDD, 4, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8,
      ])
    let read = try view(bytes) { try $0.receiverReferenceTime() }
    #expect(read == ntp)
  }

  @Test("an answer is written as in RFC 3611, section 4.5, and found by SSRC")
  func answer() throws {
    let answer = ReceiverReferenceTime(ssrc: 0x11, reference: 0x0304_0506, delay: 0x1_0000)
    let bytes = try written { try $0.append(answer, ssrc: 0x22) }
    #expect(
      bytes == [
        0x80, 207, 0, 5, 0, 0, 0, 0x22, 5, 0, 0, 3, 0, 0, 0, 0x11, 3, 4, 5, 6, 0, 1, 0, 0,
      ])
    let mine = try view(bytes) { try $0.receiverReferenceTime(answering: 0x11) }
    let other = try view(bytes) { try $0.receiverReferenceTime(answering: 0x12) }
    let none = try view(bytes) { try $0.receiverReferenceTime() }
    #expect(mine == answer && other == nil && none == nil)
  }

  @Test("the round trip is the time passed less the other side's wait")
  func roundTrip() {
    let sent = NTPTimestamp(nanoseconds: 5_000_000_000)
    // Answered a second later, back after 1.25 s.
    let answer = ReceiverReferenceTime(ssrc: 1, reference: sent.middle32, delay: 0x1_0000)
    #expect(answer.roundTripNanoseconds(arrival: NTPTimestamp(nanoseconds: 6_250_000_000)) == 250_000_000)
    #expect(answer.roundTripNanoseconds(arrival: sent) == 0)
  }

  @Test("other block types are skipped, a block beyond the end is refused")
  func others() throws {
    let before: [UInt8] = [0x80, 207, 0, 7, 0, 0, 0, 0x22, 1, 0, 0, 1, 9, 9, 9, 9]
    let answer: [UInt8] = [5, 0, 0, 3, 0, 0, 0, 0x11, 3, 4, 5, 6, 0, 1, 0, 0]
    let found = try view(before + answer) { try $0.receiverReferenceTime(answering: 0x11) }
    #expect(found?.reference == 0x0304_0506)
    var broken = before + answer
    broken[11] = 200
    #expect(throws: RTCPError.extendedReport) { try view(broken) { try $0.receiverReferenceTime(answering: 0x11) } }
    #expect(throws: RTCPError.extendedReport) { try view(broken) { try $0.receiverReferenceTime() } }
  }
}
