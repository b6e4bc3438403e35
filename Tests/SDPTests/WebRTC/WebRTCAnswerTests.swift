import RTP
import SDP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct WebRTCAnswerTests {
  private func reasons(_ answer: WebRTCDescription) -> [RefusalReason?] {
    answer.sections.map { if case .refused(let section) = $0 { section.reason } else { nil } }
  }

  @Test("an answer has the offer's sections in order, video at port 0")
  func order() throws {
    let answer = try Local.answer(BrowserOffers.chromium)
    #expect(answer.sections.map(\.kind) == ["audio", "audio", "video", "application"])
    #expect(answer.sections.map(\.mid) == ["0", "1", "2", "3"])
    #expect(reasons(answer) == [nil, nil, .notAudio, .notAudio])
    #expect(answer.bundles == [["0", "1"]] && answer.isLite && answer.sessionID == 77 && answer.version == 1)
    let lines = answer.text.split(separator: "\r\n")
    #expect(lines.contains("a=group:BUNDLE 0 1") && lines.contains("m=video 0 UDP/TLS/RTP/SAVPF 96 97"))
    #expect(lines.contains("m=application 0 UDP/DTLS/SCTP webrtc-datachannel"))
    let media = lines.firstIndex { $0.hasPrefix("m=") }!
    #expect(lines.firstIndex(of: "a=ice-lite")! < media && lines.count { $0 == "a=ice-lite" } == 1)
    #expect(lines.count { $0.hasPrefix("a=candidate:") } == 1)
  }

  @Test("an accepted section keeps types and extension numbers")
  func accepted() throws {
    var parameters = OpusFormatParameters()
    parameters.usesForwardErrorCorrection = true
    let answer = try Local.answer(
      BrowserOffers.chromium, SectionAnswer.Terms(parameters: parameters, stream: Local.stream))
    let audio = try #require(answer.sections[0].audio)
    #expect(audio.opus == [OpusPayloadType(payloadType: 111, parameters: parameters)])
    #expect(audio.telephoneEvents == [TelephoneEventFormat(payloadType: 110, clockRate: 48_000)])
    #expect(
      audio.headerExtensions == [
        HeaderExtensionMapping(identifier: 1, uri: AudioLevel.uri),
        HeaderExtensionMapping(identifier: 4, uri: "urn:ietf:params:rtp-hdrext:sdes:mid"),
      ])
    #expect(audio.feedback.isEmpty && audio.usesRTCPMux && audio.usesReducedSizeRTCP && audio.port == 9)
    #expect(audio.sources == [StreamSource(ssrc: .max, cname: "us")])
    #expect(audio.streams == [MediaStreamID(stream: "room", track: "mix")])
    #expect(audio.transport?.usernameFragment == "localfrag" && audio.transport?.fingerprints == [Local.digest])
    #expect(audio.transport?.candidates == [Local.candidate])
  }

  @Test("generic NACKs are answered if they are offered", arguments: ["111 nack", "* nack"])
  func nack(value: String) throws {
    let answer = try Local.answer(
      Local.offer(Local.audio("0", "a=rtcp-fb:\(value)", "a=rtcp-fb:111 nack pli") + Local.audio("1")))
    #expect(answer.audioSections.map(\.feedback) == [[RTCPFeedback(payloadType: 111, value: "nack")], []])
    #expect(!answer.audioSections[0].usesReducedSizeRTCP)
  }

  @Test("the chosen payload type is answered, else the first one", arguments: [(nil, 96), (111, 111), (50, 96)])
  func type(chosen: Int?, expected: Int) throws {
    let offer = Local.offer([
      "m=audio 9 UDP/TLS/RTP/SAVPF 96 111", "a=mid:0", "a=rtcp-mux", "a=rtpmap:111 opus/48000/2",
      "a=rtpmap:96 opus/48000/2", "a=rtpmap:110 telephone-event/48000",
    ])
    let terms = SectionAnswer.Terms(payloadType: chosen.map { UInt8($0) }, acceptsTelephoneEvents: false)
    let audio = try #require(Local.answer(offer, terms).audioSections.first)
    #expect(audio.opus.map { Int($0.payloadType) } == [expected] && audio.telephoneEvents.isEmpty)
  }

  @Test(
    "the answer's DTLS role fits the offer's and the connection's",
    arguments: [
      ("actpass", nil, SetupRole.passive), ("passive", nil, .active), ("active", nil, .passive),
      ("actpass", .active, .active), ("actpass", .passive, .passive), ("passive", .passive, .active),
    ] as [(String, SetupRole?, SetupRole)])
  func setup(offered: String, established: SetupRole?, expected: SetupRole) throws {
    let offer = Local.offer(Local.audio("0"), session: ["a=setup:\(offered)"])
    #expect(try Local.answer(offer, role: established).audioSections.map(\.transport?.setup) == [expected])
  }

  @Test("directions intersect: ours, the offer's, the answer's", arguments: MediaDirection.allCases)
  func direction(wanted: MediaDirection) throws {
    for offered in MediaDirection.allCases {
      let answer = try Local.answer(
        Local.offer(Local.audio("0", "a=\(offered.rawValue)")),
        SectionAnswer.Terms(direction: wanted, stream: Local.stream))
      let expected: [MediaDirection: [MediaDirection: MediaDirection]] = [
        .sendAndReceive: [
          .sendAndReceive: .sendAndReceive, .sendOnly: .receiveOnly, .receiveOnly: .sendOnly, .inactive: .inactive,
        ],
        .sendOnly: [
          .sendAndReceive: .sendOnly, .sendOnly: .inactive, .receiveOnly: .sendOnly, .inactive: .inactive,
        ],
        .receiveOnly: [
          .sendAndReceive: .receiveOnly, .sendOnly: .receiveOnly, .receiveOnly: .inactive, .inactive: .inactive,
        ],
        .inactive: [.sendAndReceive: .inactive, .sendOnly: .inactive, .receiveOnly: .inactive, .inactive: .inactive],
      ]
      let audio = try #require(answer.audioSections.first)
      #expect(audio.direction == expected[wanted]![offered]!, "wanted \(wanted), offered \(offered)")
      #expect(audio.sources.isEmpty == !audio.direction.sends && audio.streams.isEmpty == !audio.direction.sends)
    }
  }

  @Test("a section without mux, ICE, digest or connection is refused")
  func refused() throws {
    let audio = ["m=audio 9 UDP/TLS/RTP/SAVPF 111", "a=rtpmap:111 opus/48000/2"]
    let bare = ["v=0", "s=-"]
    let ice = ["a=ice-ufrag:peer", "a=ice-pwd:peerpasswordpeerpassword", "a=rtcp-mux"]
    let digest = "a=fingerprint:sha-256 \(BrowserOffers.digest)"
    let cases: [([String], RefusalReason?)] = [
      (["a=rtcp-mux", digest], .noICE), (ice, .noFingerprint), (ice.dropLast() + [digest], .noRTCPMux),
      (ice + [digest, "a=setup:holdconn"], .noConnection), (ice + [digest], nil),
    ]
    for (lines, reason) in cases {
      let answer = try Local.answer((bare + audio + lines).map { $0 + "\n" }.joined())
      #expect(reasons(answer) == [reason])
      #expect(answer.text.contains("m=audio 0 UDP/TLS/RTP/SAVPF 111") == (reason != nil))
    }
  }

  @Test("a section that the program refuses leaves the bundle")
  func choice() throws {
    let offer = try WebRTCDescription(parsing: Local.offer(Local.audio("0") + Local.audio("1") + Local.audio("2")))
    let answer = try WebRTCDescription.answer(to: offer, with: Local.transport(isLite: false)) { section in
      section.mid == "0" ? .refuse : .accept(SectionAnswer.Terms())
    }
    #expect(reasons(answer) == [.choice, nil, nil] && answer.bundles == [["1", "2"]])
    #expect(!answer.isLite && !answer.text.contains("ice-lite"))
    let none = try WebRTCDescription.answer(to: offer, with: Local.transport()) { _ in .refuse }
    #expect(none.bundles.isEmpty && none.audioSections.isEmpty && !none.text.contains("BUNDLE"))
  }

  @Test("a section outside the bundle is refused")
  func outside() throws {
    let sections = Local.audio("0") + Local.audio("1") + Local.audio("2")
    let two = try Local.answer(Local.offer(sections, session: ["a=group:BUNDLE 1 0"]))
    #expect(reasons(two) == [nil, nil, .notBundled] && two.bundles == [["1", "0"]])
    let none = try Local.answer(Local.offer(sections, session: []))
    #expect(reasons(none) == [nil, .notBundled, .notBundled] && none.bundles.isEmpty)
  }

  @Test("a bundle continues without its tagged video section")
  func tagged() throws {
    let offer = Local.offer(
      ["m=video 9 UDP/TLS/RTP/SAVPF 96", "a=mid:0", "a=rtcp-mux"]
        + ["m=audio 0 UDP/TLS/RTP/SAVPF 111", "a=mid:1", "a=bundle-only", "a=rtpmap:111 opus/48000/2"])
    let answer = try Local.answer(offer)
    #expect(reasons(answer) == [.notAudio, nil] && answer.bundles == [["1"]])
    #expect(answer.audioSections[0].port == 9 && !answer.audioSections[0].isBundleOnly)
  }

  @Test("an offer without parameters, level and feedback is answered")
  func whip() throws {
    let offer = try WebRTCDescription(parsing: BrowserOffers.whip)
    let answer = try Local.answer(BrowserOffers.whip)
    let audio = try #require(answer.audioSections.first)
    #expect(audio.direction == .receiveOnly && audio.transport?.setup == .active && audio.headerExtensions.isEmpty)
    #expect(reasons(answer) == [nil, .notAudio] && answer.bundles == [["0"]])
    let session = try OfferAnswer.session(of: answer, toRemote: offer)
    #expect(session.localRole == .active && session.remoteTransport.usernameFragment == "9e7a3b01")
    #expect(session.sections.map(\.direction) == [.receiveOnly] && session.sections[0].remoteSources.count == 1)
  }
}
