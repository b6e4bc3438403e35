import RTP
import Testing

/// The oracle is table 4 of RFC 3551.
@Suite(.timeLimit(.minutes(10))) struct RTPPayloadFormatTests {
  @Test("static payload types are those of RFC 3551")
  func assigned() {
    let expected: [(UInt8, String)] = [(0, "PCMU/8000"), (8, "PCMA/8000"), (10, "L16/44100/2"), (11, "L16/44100")]
    for (type, text) in expected {
      let format = RTPPayloadFormat(staticPayloadType: type)
      #expect(format?.description == text)
      #expect(format?.staticPayloadType == type)
    }
    let types = (0...127).filter { RTPPayloadFormat(staticPayloadType: $0) != nil }
    #expect(types == [0, 8, 10, 11])
    #expect(RTPPayloadFormat.opus.staticPayloadType == nil)
  }

  @Test("formats that cannot be received are refused")
  func refused() {
    #expect(RTPPayloadFormat(.opus, clockRate: 8_000, channelCount: 2) == nil)
    #expect(RTPPayloadFormat(.pcmu, clockRate: 16_000, channelCount: 1) == nil)
    #expect(RTPPayloadFormat(.pcma, clockRate: 8_000, channelCount: 2) == nil)
    #expect(RTPPayloadFormat(.linear16, clockRate: 12_000, channelCount: 1) == nil)
    #expect(RTPPayloadFormat(.linear16, clockRate: 8_000, channelCount: 3) == nil)
  }
}
