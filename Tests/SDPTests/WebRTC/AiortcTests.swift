import Cryptography
import RTP
import SDP
import TestSupport
import Testing

/// Descriptions from and for another program.
@Suite(
  .enabled("needs aiortc from PyPI, which .ci/python could not install") { Aiortc.python != nil },
  .timeLimit(.minutes(10)))
struct AiortcTests {
  private func offer(_ directions: [MediaDirection]) throws -> WebRTCDescription {
    try WebRTCDescription.offer(
      sections: directions.enumerated().map { index, direction in
        OfferedSection(mid: "m\(index)", direction: direction, telephoneEventType: 110, stream: Local.stream)
      },
      with: Local.transport(isLite: false))
  }

  @Test("aiortc reads equal fields from our offer")
  func offered() throws {
    let fields = try Aiortc.parse(offer([.sendAndReceive, .receiveOnly]).text)
    #expect(fields.groups.count == 1 && fields.groups[0].items == ["m0", "m1"])
    #expect(fields.media.map(\.direction) == ["sendrecv", "recvonly"] && fields.media.map(\.mid) == ["m0", "m1"])
    let first = fields.media[0]
    #expect(first.codecs == ["111 opus/48000", "110 telephone-event/48000"] && first.feedback == ["nack"])
    #expect(first.extensions == ["1": AudioLevel.uri, "2": "urn:ietf:params:rtp-hdrext:sdes:mid"])
    #expect(first.ufrag == "localfrag" && first.password == "localpasswordlocalpassword" && !first.lite)
    #expect(first.candidates == ["198.51.100.7 5000 host"] && first.complete && first.mux && first.role == "auto")
    #expect(first.fingerprints == [Local.digest.description] && first.track == "mix" && first.msid == "room mix")
    #expect(first.sources == ["4294967295 us"] && fields.media[1].sources.isEmpty)
  }

  @Test(
    "aiortc reads our answers",
    arguments: [
      BrowserOffers.chromium, BrowserOffers.firefox, BrowserOffers.whip, JSEPExamples.offerA1.text,
      JSEPExamples.offerB2.text,
    ])
  func answered(text: String) throws {
    let answer = try Local.answer(text)
    let fields = try Aiortc.parse(answer.text)
    #expect(fields.media.map(\.kind) == answer.sections.map(\.kind))
    #expect(fields.media.map(\.mid) == answer.sections.map(\.mid))
    #expect(fields.media.map { $0.port != 0 } == answer.sections.map { $0.audio != nil })
    #expect(fields.groups.map(\.items) == answer.bundles && fields.media.allSatisfy(\.lite))
    let passive = text.contains("a=setup:passive")
    #expect(fields.media.allSatisfy { $0.port == 0 || $0.role == (passive ? "client" : "server") })
  }

  @Test("aiortc answers our offer, and its answer fits")
  func answers() throws {
    let offer = try offer([.sendAndReceive, .receiveOnly])
    let text = try Aiortc.answer(offer.text, ["sendrecv", "sendonly"])
    let session = try OfferAnswer.apply(answer: WebRTCDescription(parsing: text), to: offer)
    #expect(session.sections.map(\.direction) == [.sendAndReceive, .receiveOnly] && session.localRole == .passive)
    #expect(session.sections.map(\.opus.payloadType) == [111, 111])
    #expect(session.sections.map { $0.identifier(ofExtension: AudioLevel.uri) } == [1, 1])
    #expect(session.remoteTransport.fingerprints.map(\.bytes.count) == [32, 48, 64] && !session.isRemoteLite)
    #expect(session.remoteTransport.candidates.isEmpty == false)
  }

  /// Audio only, since aiortc knows no refused sections: it requires ICE and a common codec of each section.
  @Test("aiortc accepts our answer to its offer")
  func accepts() throws {
    var offered: WebRTCDescription?
    let transceivers = try Aiortc.offer(["audio", "audio/recvonly", "audio/sendonly"]) { text in
      let offer = try WebRTCDescription(parsing: text)
      offered = offer
      return try Local.answer(text).text
    }
    let offer = try #require(offered)
    #expect(offer.audioSections.map(\.opus[0].payloadType) == [96, 96, 96] && offer.bundles.count == 1)
    #expect(offer.audioSections[0].sources.count == 1 && offer.audioSections[0].streams.first?.track != nil)
    #expect(offer.audioSections[0].transport?.candidates.isEmpty == false)
    #expect(transceivers.map(\.mid) == offer.sections.map(\.mid))
    #expect(transceivers.map(\.direction) == ["sendrecv", "recvonly", "sendonly"])
    #expect(transceivers.allSatisfy { $0.role == "client" && !$0.stopped })
  }

  @Test("an offer of aiortc with video and data is read")
  func video() throws {
    var offered: WebRTCDescription?
    // aiortc does not take the answer, since it has refused sections.
    _ = try? Aiortc.offer(["audio", "video", "data"]) { text in
      offered = try WebRTCDescription(parsing: text)
      return try Local.answer(text).text
    }
    let offer = try #require(offered)
    #expect(offer.sections.map(\.kind) == ["audio", "video", "application"])
    #expect(offer.sections.map(\.mid) == offer.bundles[0])
  }
}
