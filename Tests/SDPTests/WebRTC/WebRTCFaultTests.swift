import SDP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct WebRTCFaultTests {
  @Test(
    "a malformed line is refused with its number",
    arguments: [
      ("m=audio 9", SDPError.value(number: 10, of: "port, transport and payload types")),
      ("m=audio x UDP/TLS/RTP/SAVPF 0", .value(number: 10, of: "port, transport and payload types")),
      ("m=audio 65536 UDP/TLS/RTP/SAVPF 0", .value(number: 10, of: "port, transport and payload types")),
      ("hello", .line(number: 10)),
      ("a=ice-ufrag:abc", .attribute(number: 10, name: "ice-ufrag", rule: "4 to 256 visible characters")),
      ("a=ice-pwd:secretsecretsecret", .attribute(number: 10, name: "ice-pwd", rule: "22 to 256 visible characters")),
      ("a=setup:both", .attribute(number: 10, name: "setup", rule: "actpass, active or passive")),
      (
        "a=fingerprint:sha-256 AB:CD",
        .attribute(number: 10, name: "fingerprint", rule: "sha-256 and its 32 bytes as AB:CD:...")
      ),
      (
        "a=fingerprint:sha-256 +1:-1",
        .attribute(number: 10, name: "fingerprint", rule: "sha-256 and its 32 bytes as AB:CD:...")
      ),
    ])
  func malformed(line: String, error: SDPError) {
    #expect(throws: error) { try WebRTCDescription(parsing: Local.offer([line])) }
    #expect(!error.description.contains("secret") && error.description.contains("line 10"))
  }

  @Test(
    "a malformed attribute of a section is refused with its number",
    arguments: [
      ("a=ssrc:x cname:a", SDPError.attribute(number: 14, name: "ssrc", rule: "a number below 2^32 and an attribute")),
      ("a=ssrc:4294967296 cname:a", .attribute(number: 14, name: "ssrc", rule: "a number below 2^32 and an attribute")),
    ])
  func section(line: String, error: SDPError) {
    #expect(throws: error) { try WebRTCDescription(parsing: Local.offer(Local.audio("0", line))) }
  }

  @Test("a missing version, an empty mid and a repeated mid are refused")
  func structure() {
    #expect(throws: SDPError.version) { try WebRTCDescription(parsing: "") }
    #expect(throws: SDPError.attribute(number: 11, name: "mid", rule: "1 to 255 visible characters")) {
      try WebRTCDescription(parsing: Local.offer(Local.audio("")))
    }
    #expect(throws: SDPError.repeatedMid(number: 15)) {
      try WebRTCDescription(parsing: Local.offer(Local.audio("0") + Local.audio("0")))
    }
  }

  @Test("sizes up to their limits are read, larger ones refused")
  func limits() throws {
    #expect(try WebRTCDescription(parsing: Local.offer([])).sections.isEmpty)
    let audio = (0..<33).map { Local.audio("\($0)") }
    #expect(try WebRTCDescription(parsing: Local.offer(Array(audio[..<32].joined()))).audioSections.count == 32)
    #expect(throws: SDPError.tooMany("audio sections", limit: 32)) {
      try WebRTCDescription(parsing: Local.offer(Array(audio.joined())))
    }
    let video = Array(repeating: "m=video 9 UDP/TLS/RTP/SAVPF 96", count: 65)
    #expect(try WebRTCDescription(parsing: Local.offer(Array(video[..<64]))).sections.count == 64)
    #expect(throws: SDPError.tooMany("media sections", limit: 64)) {
      try WebRTCDescription(parsing: Local.offer(video))
    }
    let attributes = Array(repeating: "a=x", count: 254)
    #expect(try WebRTCDescription(parsing: Local.offer(Local.audio("0") + attributes.dropLast())).sections.count == 1)
    #expect(throws: SDPError.tooMany("attributes in one section", limit: 256)) {
      try WebRTCDescription(parsing: Local.offer(Local.audio("0") + attributes))
    }
    let text = Local.offer(Local.audio("0"))
    let filled = text + "b=" + String(repeating: "x", count: 65_536 - text.utf8.count - 4) + "\r\n"
    #expect(filled.utf8.count == 65_536)
    #expect(try WebRTCDescription(parsing: filled).sections.count == 1)
    #expect(throws: SDPError.tooMany("bytes", limit: 65_536)) { try WebRTCDescription(parsing: filled + "x") }
  }

  @Test("changed descriptions are read or refused, and never trap")
  func changed() {
    var generator = SeededGenerator(seed: 7)
    let texts = [BrowserOffers.chromium, BrowserOffers.firefox, BrowserOffers.whip] + JSEPExamples.all.map(\.text)
    for text in texts {
      for _ in 0..<50 {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let place = bytes.indices.randomElement(using: &generator)!
          switch Int.random(in: 0..<3, using: &generator) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
          case 1: bytes.remove(at: place)
          default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
          }
        }
        guard let offer = try? WebRTCDescription(parsing: String(decoding: bytes, as: UTF8.self)),
          let again = try? WebRTCDescription(parsing: offer.text)
        else { continue }
        #expect(again.text == offer.text)
        let answer = try? WebRTCDescription.answer(to: offer, with: Local.transport()) { _ in .accept(.init()) }
        #expect(answer?.sections.count == offer.sections.count)
      }
    }
  }
}
