import Cryptography
import RTP
import SDP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct WebRTCReadingTests {
  @Test("the examples of RFC 8829 are read", arguments: JSEPExamples.all)
  func jsep(example: JSEPExamples.Example) throws {
    let description = try WebRTCDescription(parsing: example.text)
    #expect(description.sessionID == example.sessionID && description.version == example.version)
    #expect(description.bundles == [example.bundles] && !description.isLite)
    #expect(description.sections.map(\.kind) == example.kinds)
    #expect(description.sections.map(\.mid) == example.bundles)
    #expect(description.audioSections.count == 1)
    let audio = try #require(description.sections[0].audio)
    #expect(audio.port == example.port && audio.direction == example.direction)
    #expect(audio.profile == "UDP/TLS/RTP/SAVPF" && audio.usesRTCPMux && audio.usesReducedSizeRTCP)
    #expect(audio.opus == [OpusPayloadType(payloadType: 96)])
    #expect(
      audio.telephoneEvents == [
        TelephoneEventFormat(payloadType: 97, clockRate: 8000),
        TelephoneEventFormat(payloadType: 98, clockRate: 48_000),
      ])
    #expect(audio.identifier(ofExtension: "urn:ietf:params:rtp-hdrext:sdes:mid") == 1)
    #expect(audio.identifier(ofExtension: AudioLevel.uri) == 2)
    #expect(audio.streams == [MediaStreamID(stream: example.stream)])
    let transport = try #require(audio.transport)
    #expect(transport.usernameFragment == example.usernameFragment && transport.options == ["trickle", "ice2"])
    #expect(transport.setup == example.setup && transport.candidates.count == example.candidateCount)
    #expect(transport.hasAllCandidates == (example.candidateCount > 0))
    #expect(transport.fingerprints.map(\.bytes.count) == [32])
  }

  @Test("candidates of RFC 8829 are read field by field")
  func candidates() throws {
    let audio = try #require(WebRTCDescription(parsing: JSEPExamples.offerB2.text).audioSections.first)
    let candidates = try #require(audio.transport).candidates
    #expect(candidates.map(\.type) == ["host", "srflx", "relay"])
    #expect(candidates.map(\.priority) == [2_113_929_471, 1_845_494_015, 255])
    #expect(candidates.map(\.address) == ["203.0.113.200", "198.51.100.200", "192.0.2.200"])
    #expect(candidates.map(\.port) == [10_200, 11_200, 12_200])
    #expect(candidates.map(\.relatedAddress) == [nil, "203.0.113.200", "198.51.100.200"])
    #expect(candidates.map(\.relatedPort) == [nil, 10_200, 11_200])
    #expect(candidates.allSatisfy { $0.transport == "udp" && $0.foundation == "1" && $0.component == 1 })
    let tcp = try #require(
      CandidateLine(parsing: "candidate:1 1 TCP 1518280447 a.local 9 typ host tcptype active generation 0"))
    #expect(tcp.tcpType == "active" && tcp.transport == "tcp" && tcp.address == "a.local")
    #expect(tcp.text == "1 1 TCP 1518280447 a.local 9 typ host tcptype active generation 0")
  }

  @Test(
    "a malformed candidate is nil",
    arguments: [
      "", "1 1 udp 1 a 1 typ", "1 0 udp 1 a 1 typ host", "1 257 udp 1 a 1 typ host", "1 1 udp 4294967296 a 1 typ host",
      "1 1 udp 1 a 65536 typ host", "1 1 udp 1 a 1 type host", "1 1 udp 1 a 1 typ host\nx",
      String(repeating: "1", count: 33) + " 1 udp 1 a 1 typ host",
      "1 1 udp 1 a 1 typ host " + String(repeating: "x", count: 1024),
    ])
  func malformedCandidate(text: String) { #expect(CandidateLine(parsing: text) == nil) }

  @Test("an offer of Chromium is read")
  func chromium() throws {
    let description = try WebRTCDescription(parsing: BrowserOffers.chromium)
    #expect(description.sections.map(\.kind) == ["audio", "audio", "video", "application"])
    let audio = try #require(description.sections[0].audio)
    var parameters = OpusFormatParameters()
    parameters.minimumPacketMilliseconds = 10
    parameters.usesForwardErrorCorrection = true
    #expect(audio.opus == [OpusPayloadType(payloadType: 111, parameters: parameters)])
    #expect(audio.telephoneEvents.map(\.payloadType) == [110, 126])
    #expect(audio.feedback == [RTCPFeedback(payloadType: 111, value: "transport-cc")])
    #expect(!audio.supportsNack(payloadType: 111))
    #expect(audio.sources == [StreamSource(ssrc: 2_550_536_406, cname: "4TOk42mSjXCkVIa6")])
    #expect(audio.streams == [MediaStreamID(stream: "local", track: "0b3a1a5f-track")])
    #expect(audio.headerExtensions.map(\.identifier) == [1, 2, 3, 4])
    #expect(description.sections[1].audio?.direction == .receiveOnly)
    guard case .refused(let data) = description.sections[3] else { throw SDPError.noAudio }
    #expect(data.reason == .notAudio && data.formats == ["webrtc-datachannel"] && data.profile == "UDP/DTLS/SCTP")
  }

  @Test("an offer of Firefox takes digest and options from the session")
  func firefox() throws {
    let sections = try WebRTCDescription(parsing: BrowserOffers.firefox).audioSections
    #expect(sections.count == 2)
    for section in sections {
      #expect(section.transport?.fingerprints.map(\.description) == ["sha-256 \(BrowserOffers.digest)"])
      #expect(section.transport?.options == ["trickle"] && section.transport?.setup == .activeOrPassive)
    }
    #expect(sections[1].isBundleOnly && sections[1].port == 0)
    #expect(sections[0].opus[0].parameters.prefersStereo == true)
  }

  @Test("an offer of ffmpeg's WHIP muxer is read")
  func whip() throws {
    let audio = try #require(WebRTCDescription(parsing: BrowserOffers.whip).audioSections.first)
    #expect(audio.opus == [OpusPayloadType(payloadType: 111)] && audio.direction == .sendOnly)
    #expect(audio.transport?.setup == .passive && audio.transport?.candidates.isEmpty == true)
    #expect(audio.headerExtensions.isEmpty && audio.feedback.isEmpty)
  }

  @Test("a bundled section takes the tagged section's transport")
  func bundled() throws {
    let lines = JSEPExamples.offerB1.text + "m=audio 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:a2\r\na=rtpmap:96 opus/48000/2\r\n"
    let loose = try WebRTCDescription(parsing: lines).audioSections
    #expect(loose[1].transport == nil && !loose[1].usesRTCPMux)
    let sections = try WebRTCDescription(parsing: lines.replacing("BUNDLE a1", with: "BUNDLE a1 a2")).audioSections
    #expect(sections[1].transport == sections[0].transport && sections[1].usesRTCPMux)
  }

  @Test("a bundle does not repeat a section, nor name unknown ones")
  func groups() throws {
    let session = ["a=group:BUNDLE 0 9 0 1", "a=group:BUNDLE 1", "a=group:BUNDLE", "a=group:LS 0 1"]
    let text = Local.offer(Local.audio("0") + Local.audio("1"), session: session)
    #expect(try WebRTCDescription(parsing: text).bundles == [["0", "1"]])
  }

  @Test("the first mapping of a repeated payload type applies")
  func repeatedType() throws {
    let text = Local.offer([
      "m=audio 9 UDP/TLS/RTP/SAVPF 111 96 111 110", "a=rtpmap:96 opus/48000", "a=rtpmap:111 opus/48000/2",
      "a=rtpmap:111 telephone-event/48000", "a=rtpmap:110 opus/48000/3", "a=rtpmap:109 opus/48000/2",
    ])
    let audio = try #require(WebRTCDescription(parsing: text).audioSections.first)
    #expect(audio.opus.map(\.payloadType) == [111, 96] && audio.telephoneEvents.isEmpty)
  }

  @Test("a header extension's name and number are read once")
  func repeatedExtension() throws {
    let text = Local.offer(
      Local.audio("0", "a=extmap:1 urn:a", "a=extmap:1 urn:b", "a=extmap:2 urn:a"),
      session: ["a=extmap:1 urn:c", "a=extmap:3 urn:c"])
    let audio = try #require(WebRTCDescription(parsing: text).audioSections.first)
    #expect(
      audio.headerExtensions == [
        HeaderExtensionMapping(identifier: 1, uri: "urn:a"), HeaderExtensionMapping(identifier: 3, uri: "urn:c"),
      ])
  }

  @Test("a session's attributes apply to sections without their own")
  func inherited() throws {
    let text = Local.offer(
      Local.audio("0") + Local.audio("1", "a=setup:active", "a=ice-ufrag:mine", "a=ice-pwd:minepasswordminepassword"),
      session: ["a=setup:actpass", "a=sendonly", "a=ice-lite", "a=extmap:5 \(AudioLevel.uri)"])
    let description = try WebRTCDescription(parsing: text)
    let sections = description.audioSections
    #expect(description.isLite && sections.allSatisfy { $0.direction == .sendOnly })
    #expect(sections.map { $0.transport?.usernameFragment } == ["peer", "mine"])
    #expect(sections.map { $0.transport?.setup } == [.activeOrPassive, .active])
    #expect(sections.allSatisfy { $0.identifier(ofExtension: AudioLevel.uri) == 5 })
    #expect(sections.allSatisfy { $0.transport?.fingerprints.count == 1 })
  }

  @Test("audio that cannot be used is refused with its reason")
  func unusable() throws {
    let text = Local.offer([
      "m=audio 0 UDP/TLS/RTP/SAVPF 111", "a=rtpmap:111 opus/48000/2", "m=audio 9 UDP/TLS/RTP/SAVPF 0 8",
      "m=audio 9 UDP/TLS/RTP/SAVPF 70", "a=rtpmap:70 opus/48000/2", "m=audio 9 SIP 111", "a=rtpmap:111 opus/48000/2",
      "m=text 9 RTP/AVP 99", "m=audio 9 RTP/SAVPF 111", "a=rtpmap:111 opus/16000/2",
    ])
    let reasons = try WebRTCDescription(parsing: text).sections.map { section -> RefusalReason? in
      if case .refused(let section) = section { section.reason } else { nil }
    }
    #expect(reasons == [.switchedOff, .noOpus, .noOpus, .profile, .notAudio, .noOpus])
    #expect(Set(reasons.compactMap { $0?.description }).count == 4)
  }

  @Test("a description is read as it was written")
  func roundTrip() throws {
    var audio = AudioSection(
      mid: "x", opus: [OpusPayloadType(payloadType: 96), OpusPayloadType(payloadType: 111)])
    audio.opus[1].parameters.prefersStereo = true
    audio.direction = .inactive
    audio.transport = TransportDescription(
      usernameFragment: "name", password: "passwordpasswordpassword", options: ["trickle"],
      candidates: [Local.candidate], hasAllCandidates: true, fingerprints: [Local.digest], setup: .active)
    audio.usesRTCPMux = true
    audio.usesReducedSizeRTCP = true
    audio.telephoneEvents = [TelephoneEventFormat(payloadType: 110, clockRate: 48_000)]
    audio.headerExtensions = [HeaderExtensionMapping(identifier: 14, uri: AudioLevel.uri, attributes: "vad=on")]
    audio.feedback = [RTCPFeedback(payloadType: nil, value: "nack"), RTCPFeedback(payloadType: 111, value: "ccm fir")]
    audio.streams = [MediaStreamID(stream: "-", track: "t"), MediaStreamID(stream: "s")]
    audio.sources = [StreamSource(ssrc: 0), StreamSource(ssrc: .max, cname: "c")]
    var second = audio
    second.mid = "y"
    let refused = RefusedSection(
      kind: "video", profile: "UDP/TLS/RTP/SAVPF", formats: ["96", "97"], mid: "z", reason: .notAudio)
    let description = WebRTCDescription(
      sessionID: .max, version: 9, isLite: true, sections: [.audio(audio), .refused(refused), .audio(second)],
      bundles: [["x", "y"]])
    #expect(try WebRTCDescription(parsing: description.text) == description)
  }

  @Test("printing a description does not show passwords")
  func secret() throws {
    let description = try WebRTCDescription(parsing: JSEPExamples.offerA1.text)
    var dumped = ""
    dump(description, to: &dumped)
    dump(Local.transport(), to: &dumped)
    dumped += "\(description)" + String(reflecting: description) + "\(Local.transport())"
    #expect(dumped.contains("ETEn") && !dumped.contains("OtSK0WpN") && !dumped.contains("localpassword"))
  }
}
