import Cryptography
import RTP
import SDP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct OfferAnswerTests {
  private func offer(_ count: Int = 2, following previous: WebRTCDescription? = nil) throws -> WebRTCDescription {
    try WebRTCDescription.offer(
      sections: (0..<count).map { OfferedSection(mid: "\($0)", telephoneEventType: 110, stream: Local.stream) },
      with: Local.transport(isLite: false), following: previous)
  }

  /// Applies the answer of another local side, with its text changed.
  private func apply(_ old: String = "", _ new: String = "") throws -> NegotiatedSession {
    let offer = try offer()
    var text = try Local.answer(offer.text).text
    if !old.isEmpty {
      #expect(text.contains(old))
      text = text.replacing(old, with: new)
    }
    return try OfferAnswer.apply(answer: WebRTCDescription(parsing: text), to: offer)
  }

  @Test("an offer has one bundle, both DTLS roles, mux and extensions")
  func offers() throws {
    let offer = try offer()
    #expect(offer.bundles == [["0", "1"]] && offer.sessionID == 77 && offer.version == 1)
    for audio in offer.audioSections {
      #expect(audio.transport?.setup == .activeOrPassive && audio.usesRTCPMux && audio.usesReducedSizeRTCP)
      #expect(audio.supportsNack(payloadType: 111) && audio.sources == [Local.stream.source] && audio.port == 9)
      #expect(audio.identifier(ofExtension: AudioLevel.uri) == 1 && audio.headerExtensions.count == 2)
    }
    #expect(try WebRTCDescription(parsing: offer.text) == offer)
  }

  @Test("an answer that fits gives the session of both sides")
  func applies() throws {
    let session = try apply()
    #expect(session.localRole == .active && session.isRemoteLite)
    #expect(session.remoteTransport.usernameFragment == "localfrag")
    #expect(session.sections.map(\.index) == [0, 1] && session.sections.map(\.mid) == ["0", "1"])
    let section = session.sections[0]
    #expect(section.direction == .sendAndReceive && section.opus.payloadType == 111 && section.supportsNack)
    #expect(section.usesReducedSizeRTCP && section.telephoneEvents?.payloadType == 110)
    #expect(section.identifier(ofExtension: AudioLevel.uri) == 1)
    #expect(section.remoteSources == [Local.stream.source] && section.remoteStreams == [Local.stream.id])
    let offer = try offer()
    let theirs = try OfferAnswer.session(of: Local.answer(offer.text), toRemote: offer)
    #expect(theirs.localRole == .passive && !theirs.isRemoteLite && theirs.sections.count == 2)
  }

  @Test("a direction of the session is that of both descriptions")
  func direction() throws {
    #expect(try apply("a=sendrecv", "a=sendonly").sections.map(\.direction) == [.receiveOnly, .receiveOnly])
    #expect(try apply("a=sendrecv", "a=inactive").sections.map(\.direction) == [.inactive, .inactive])
  }

  @Test("the peer's parameters are those of its own description")
  func parameters() throws {
    let changed = "a=rtpmap:111 opus/48000/2\r\na=fmtp:111 stereo=1"
    #expect(try apply("a=rtpmap:111 opus/48000/2", changed).sections[0].opus.parameters.prefersStereo == true)
  }

  @Test(
    "an answer that does not fit is refused with its fault",
    arguments: [
      ("a=mid:1", "a=mid:9", OfferAnswerError.mid(section: 1)),
      ("m=audio", "m=video", .kind(section: 0)),
      ("111", "112", .payloadType(section: 0)),
      ("a=extmap:1 ", "a=extmap:7 ", .headerExtension(section: 0)),
      ("a=rtcp-mux\r\n", "", .rtcpMux(section: 0)),
      ("a=ice-ufrag:localfrag\r\n", "", .noICE(section: 0)),
      ("a=fingerprint:\(Local.digest.description)\r\n", "", .noFingerprint(section: 0)),
      ("a=setup:passive", "a=setup:actpass", .setup(section: 0)),
      ("a=setup:passive", "a=setup:holdconn", .setup(section: 0)),
      ("a=setup:passive\r\n", "", .setup(section: 0)),
      ("a=group:BUNDLE 0 1", "a=group:BUNDLE 0", .notBundled(section: 1)),
      ("m=audio 9", "m=audio 0", .allRefused),
      ("a=mid:1", "a=mid:1\r\nm=audio 0 UDP/TLS/RTP/SAVPF 0", .sectionCount(offered: 2, answered: 3)),
    ])
  func faults(old: String, new: String, error: OfferAnswerError) {
    #expect(throws: error) { try apply(old, new) }
    #expect(error.description.contains(";"))
  }

  @Test("a section that the answer refuses is left out")
  func refusedSection() throws {
    let offer = try offer()
    let answer = try WebRTCDescription.answer(to: offer, with: Local.transport()) { section in
      section.mid == "0" ? .refuse : .accept(SectionAnswer.Terms())
    }
    #expect(try OfferAnswer.apply(answer: answer, to: offer).sections.map(\.index) == [1])
  }

  @Test("the transport is that of the answer's tagged section")
  func taggedTransport() throws {
    let sections =
      Local.audio("0", "a=ice-ufrag:zero", "a=ice-pwd:zeropasswordzeropassword")
      + Local.audio("1", "a=ice-ufrag:ones", "a=ice-pwd:onespasswordonespassword")
    let text = Local.offer(sections, session: ["a=group:BUNDLE 1 0"])
    let session = try OfferAnswer.session(of: Local.answer(text), toRemote: WebRTCDescription(parsing: text))
    #expect(session.remoteTransport.usernameFragment == "ones")
  }

  @Test("an answer cannot accept a section that the offer switched off")
  func switchedOff() throws {
    let offered = try WebRTCDescription.offer(
      sections: [OfferedSection(mid: "0"), OfferedSection(mid: "1", isSwitchedOff: true)], with: Local.transport())
    #expect(offered.text.contains("m=audio 0 ") && offered.bundles == [["0"]])
    #expect(try Local.answer(offered.text).audioSections.count == 1)
    #expect(throws: OfferAnswerError.switchedOff(section: 1)) {
      try OfferAnswer.apply(answer: Local.answer(offer().text), to: offered)
    }
  }

  @Test("a later offer with more sections is answered with equal mids")
  func renegotiation() throws {
    let first = try offer(1)
    let answer = try Local.answer(first.text)
    let second = try offer(3, following: first)
    #expect(second.version == 2 && second.sessionID == first.sessionID)
    let later = try Local.answer(second.text, role: .passive, following: answer)
    #expect(later.version == 2 && later.sessionID == answer.sessionID)
    #expect(later.sections.map(\.mid) == ["0", "1", "2"] && later.bundles == [["0", "1", "2"]])
    #expect(later.sections[0] == answer.sections[0])
    #expect(try OfferAnswer.apply(answer: later, to: second).sections.count == 3)
  }

  @Test("a later offer that changes or removes sections is refused")
  func inconsistent() throws {
    let previous = try Local.answer(offer(2).text)
    #expect(throws: OfferAnswerError.sectionsRemoved(before: 2, now: 1)) {
      try Local.answer(offer(1).text, following: previous)
    }
    #expect(throws: OfferAnswerError.mid(section: 1)) {
      try Local.answer(offer(2).text.replacing("a=mid:1", with: "a=mid:5"), following: previous)
    }
    #expect(throws: OfferAnswerError.kind(section: 0)) {
      try Local.answer(offer(2).text.replacing("m=audio", with: "m=video"), following: previous)
    }
    #expect(throws: OfferAnswerError.sectionsRemoved(before: 2, now: 1)) { try offer(1, following: offer(2)) }
  }

  @Test("a switched-off section can be replaced by another one")
  func replaced() throws {
    let before = try Local.answer(Local.offer(Local.audio("0") + ["m=audio 0 RTP/AVP 0", "a=mid:1"]))
    let after = try Local.answer(Local.offer(Local.audio("0") + Local.audio("2")), following: before)
    #expect(after.sections.map(\.mid) == ["0", "2"] && after.audioSections.count == 2)
  }
}
