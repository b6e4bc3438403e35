import Platform
import TestSupport
import Testing

@testable import WebRTC

@Suite("ICE candidates", .timeLimit(.minutes(10)))
struct ICECandidateTests {
  /// A candidate of RFC 8839, section 5.1, and those of browsers.
  @Test(
    "a candidate is read and written again",
    arguments: [
      "candidate:1 1 udp 1694498815 192.0.2.3 45664 typ srflx raddr 203.0.113.141 rport 8998",
      "candidate:842163049 1 udp 1677729535 203.0.113.7 46154 typ srflx raddr 10.0.0.17 rport 46154 generation 0",
      "candidate:2 1 udp 2130706431 2001:db8::1 9000 typ host network-id 1 network-cost 10",
      "candidate:4+/ 256 udp 1 127.0.0.1 0 typ relay raddr 0.0.0.0 rport 0",
      "candidate:3 1 tcp 1518280447 192.0.2.3 9 typ host tcptype active",
      "candidate:5 1 udp 2122260223 1f4712db-ea17-4bcf-a596-105139dfd8bf.local 54596 typ host",
    ])
  func roundTrip(text: String) throws {
    let candidate = try #require(ICECandidate(parsing: text))
    #expect(candidate.text == text)
    #expect(ICECandidate(parsing: "a=" + text) == candidate)
    for end in ["\r\n", "\n", "\r", " "] { #expect(ICECandidate(parsing: text + end) == candidate) }
    // Other characters could end up in a description.
    for other in [" \u{301}", " \u{2028}a", " \0", " \u{7F}"] { #expect(ICECandidate(parsing: text + other) == nil) }
  }

  @Test("a candidate's parts are those of its text")
  func parts() throws {
    let candidate = try #require(
      ICECandidate(parsing: "candidate:1 1 UDP 1694498815 192.0.2.3 45664 typ srflx raddr 203.0.113.141 rport 8998"))
    #expect(candidate.foundation == "1" && candidate.component == 1 && candidate.transport == "udp")
    #expect(candidate.priority == 1_694_498_815 && candidate.kind == .serverReflexive)
    #expect(candidate.usableAddress == SocketAddress(host: "192.0.2.3", port: 45664))
    #expect(candidate.attributes == ["raddr", "203.0.113.141", "rport", "8998"])
  }

  @Test(
    "names, TCP, other components and addresses of groups are not used",
    arguments: [
      "candidate:5 1 udp 1 1f4712db-ea17-4bcf-a596-105139dfd8bf.local 54596 typ host",
      "candidate:5 1 udp 1 example.com 54596 typ host", "candidate:3 1 tcp 1 192.0.2.3 9 typ host tcptype active",
      "candidate:3 2 udp 1 192.0.2.3 9000 typ host", "candidate:3 1 udp 1 192.0.2.3 0 typ host",
      "candidate:3 1 udp 1 0.0.0.0 9000 typ host", "candidate:3 1 udp 1 224.0.0.1 9000 typ host",
      "candidate:3 1 udp 1 ff02::1 9000 typ host", "candidate:3 1 udp 1 127.1 9000 typ host",
    ])
  func unusable(text: String) throws {
    let candidate = try #require(ICECandidate(parsing: text))
    #expect(candidate.usableAddress == nil && candidate.isMulticastDNS == text.contains(".local"))
  }

  @Test(
    "other texts are not candidates",
    arguments: [
      "", "candidate:", "candidate:1 1 udp 1 192.0.2.3 9", "candidate:1 1 udp 1 192.0.2.3 9 typ",
      "1 1 udp 1 h 9 typ host",
      "candidate:1 0 udp 1 192.0.2.3 9 typ host", "candidate:1 257 udp 1 192.0.2.3 9 typ host",
      "candidate:1 1 udp 4294967296 192.0.2.3 9 typ host", "candidate:1 1 udp -1 192.0.2.3 9 typ host",
      "candidate:1 1 udp 1 192.0.2.3 65536 typ host", "candidate:1 1 udp 1 192.0.2.3 9 typ other",
      "candidate:1 1 udp 1 192.0.2.3 9 type host", "candidate:ä 1 udp 1 192.0.2.3 9 typ host",
      "candidate:123456789012345678901234567890123 1 udp 1 192.0.2.3 9 typ host", "end-of-candidates",
    ])
  func refused(text: String) { #expect(ICECandidate(parsing: text) == nil) }

  @Test("priorities are those of RFC 8445's formula")
  func priorities() {
    // The values that browsers and RFC 8839's examples show for the highest local preference.
    #expect(ICECandidate.priority(.host) == 2_130_706_431)
    #expect(ICECandidate.priority(.serverReflexive) == 1_694_498_815)
    #expect(ICECandidate.priority(.peerReflexive) == 1_862_270_975)
    #expect(ICECandidate.priority(.relay) == 16_777_215)
    #expect(ICECandidate.priority(.host, localPreference: 0, component: 256) == 126 << 24)
  }

  @Test("a candidate of an address is written for SDP", arguments: ["192.0.2.3", "2001:db8::1"])
  func made(host: String) throws {
    let address = try #require(SocketAddress(host: host, port: 5004))
    #expect(ICECandidate(address).text == "candidate:1 1 udp 2130706431 \(host) 5004 typ host")
    #expect(ICECandidate(address).usableAddress == address)
    let reflexive = ICECandidate(address, kind: .serverReflexive, foundation: "2")
    #expect(ICECandidate(parsing: reflexive.text) == reflexive && reflexive.text.contains("raddr"))
  }

  @Test("any text is read or refused without a trap")
  func arbitrary() {
    var generator = SeededGenerator(seed: 3)
    let words = [
      "candidate:1", "a=candidate:", "1", "udp", "-5", "99999999999999999999", "::", "typ", "host", "\u{301}", "",
    ]
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...12, using: &generator)
      let text = (0..<count).map { _ in words.randomElement(using: &generator)! }.joined(separator: " ")
      _ = ICECandidate(parsing: text)?.usableAddress
    }
  }
}
