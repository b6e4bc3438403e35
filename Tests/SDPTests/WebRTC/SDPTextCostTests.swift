import TestSupport
import Testing

@testable import SDP

@Suite("Cost of hostile text in SDP", .timeLimit(.minutes(10)))
struct SDPTextCostTests {
  private static let head =
    "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n"
    + "c=IN IP4 127.0.0.1\r\na=rtpmap:111 opus/48000/2\r\n"

  @Test(
    "disordered marks in a line cost at most 10 times ASCII", .shows("hostile text"),
    arguments: [
      "a=", "a=mid:", "a=rtpmap:", "a=rtpmap:96 ", "a=fmtp:111 ", "a=extmap:1 ", "a=msid:", "a=ssrc:1 cname:",
      "a=fingerprint:", "a=setup:", "a=candidate:", "a=ice-options:", "a=rtcp-fb:111 ", "a=crypto:", "m=audio ", "m=",
      "a", "", "s=", "a=group:BUNDLE ",
    ])
  func lines(_ start: String) {
    let byteCount = 32_000
    func cost(_ text: String) -> Int {
      let description = Self.head + start + text + "\r\n" + start + text + "\r\n"
      return threadNanoseconds {
        _ = try? WebRTCDescription(parsing: description)
        _ = try? SessionDescription(parsing: description)
      }
    }
    let usual = cost(String(repeating: "a", count: byteCount / 2))
    let hostile = cost(disorderedMarks(byteCount: byteCount / 2))
    #expect(hostile < 10 * max(usual, 1_000_000), "\(start): \(hostile) ns, ASCII \(usual) ns")
  }

  @Test("only a session's name keeps its characters beyond ASCII")
  func characters() throws {
    let text = Self.head.replacing("s=-", with: "s=Grüße\u{2028} \t").replacing("UDP/TLS/RTP/SAVPF", with: "RTP/AVPF")
    let description = try SessionDescription(parsing: text + "a=extmap:1 urn:ü\r\n")
    #expect(description.name == "Grüße")
    #expect(description.audio.headerExtensions.map(\.uri) == ["urn:??"])
  }
}
