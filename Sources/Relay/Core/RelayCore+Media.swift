internal import Platform
internal import RTP
internal import SDP
internal import Signalling
internal import WebRTC

extension RelayCore {
  /// Agrees with a client on its media connection.
  ///
  /// - Throws: `argument` for SDP that is malformed, or from which the relay accepts no section.
  func terms(_ media: MediaDescription, _ forwarder: Forwarder) throws(Refusal) -> MediaTerms {
    switch media {
    case .transport(let parameters):
      var ssrcs = SSRCSequence(first: UInt32(truncatingIfNeeded: random()))
      let own = ssrcs.next()
      return MediaTerms(
        credentials: ICECredentials(),
        remoteCredentials: ICECredentials(fragment: parameters.ufrag, password: parameters.password.text),
        role: parameters.setup == .passive ? .client : .server,
        fingerprints: [parameters.fingerprint], source: .known(own), ssrcs: ssrcs)
    case .sdp(let text):
      let offer: WebRTCDescription
      do throws(SDPError) { offer = try WebRTCDescription(parsing: text.text) } catch {
        throw .argument("the offer in 'sdp' is malformed: \(error)")
      }
      return try terms(offer: offer, forwarder)
    }
  }

  /// Returns the relay's end of a connection, for a client with `transport`.
  func describe(_ peer: MediaPeer, _ forwarder: Forwarder) -> TransportParameters {
    let candidates = candidates(of: forwarder).map {
      TransportCandidate(
        kind: .host, address: $0.host, port: $0.port, priority: $0.priority, foundation: $0.foundation)
    }
    return TransportParameters(
      ufrag: peer.credentials.fragment, password: SecretText(peer.credentials.password),
      fingerprint: certificate.fingerprint, setup: peer.isDTLSClient ? .active : .passive, candidates: candidates)
  }

  /// Candidates of a forwarder: each has a port of its own.
  private func candidates(of forwarder: Forwarder) -> [ICECandidate] {
    configuration.mediaAddresses.prefix(MessageLimits.candidateCount).enumerated().map {
      let preference = UInt16.max &- UInt16(truncatingIfNeeded: $0.offset)
      let address = $0.element.withPort($0.element.port &+ UInt16(truncatingIfNeeded: forwarder.index))
      return ICECandidate(address, foundation: "\($0.offset + 1)", localPreference: preference)
    }
  }

  // MARK: SDP

  /// Answers an offer. The client publishes in the first section in which it sends, and hears a user in each section.
  private func terms(offer: WebRTCDescription, _ forwarder: Forwarder) throws(Refusal) -> MediaTerms {
    let credentials = ICECredentials()
    var ssrcs = SSRCSequence(first: UInt32(truncatingIfNeeded: random()))
    var publishingSection: Int?
    var reserved: [UInt32] = []
    let answer: WebRTCDescription
    let session: NegotiatedSession
    do throws(OfferAnswerError) {
      answer = try .answer(to: offer, with: localTransport(credentials, forwarder)) { section in
        let publishes = publishingSection == nil && section.direction.sends
        if publishes { publishingSection = reserved.count }
        let ssrc = ssrcs.next()
        reserved.append(ssrc)
        var parameters = OpusFormatParameters()
        parameters.usesForwardErrorCorrection = true
        return .accept(
          SectionAnswer.Terms(
            direction: publishes ? .sendAndReceive : .sendOnly, parameters: parameters, acceptsTelephoneEvents: false,
            stream: SentStream(
              ssrc: ssrc, cname: "relay", id: MediaStreamID(stream: "section\(reserved.count)", track: "audio"))))
      }
      session = try OfferAnswer.session(of: answer, toRemote: offer)
    } catch {
      throw .argument(refusal(of: offer, forwarder))
    }
    // `choosing` is called once for each accepted section, in order.
    let sections = zip(session.sections, reserved)
    let heard = sections.compactMap { section, ssrc in
      section.direction.sends ? ListenerSection(format: PacketFormat(section), ssrc: ssrc) : nil
    }
    let own = publishingSection.map { session.sections[$0] }
    let source: PublishedSource =
      own.map { section in section.remoteSources.first.map { .known($0.ssrc) } ?? .first } ?? .none
    let text = answer.text
    guard text.utf8.count <= MessageLimits.sdpByteCount else {
      throw .argument("the answer to the offer in 'sdp' is too long; offer fewer sections")
    }
    return MediaTerms(
      credentials: credentials,
      remoteCredentials: ICECredentials(
        fragment: session.remoteTransport.usernameFragment, password: session.remoteTransport.password),
      role: session.localRole == .active ? .client : .server,
      fingerprints: session.remoteTransport.fingerprints, source: source, ssrcs: ssrcs,
      format: PacketFormat(own ?? session.sections[0]), supportsNack: own?.supportsNack ?? false,
      listens: !heard.isEmpty, sections: heard, answer: text)
  }

  private func localTransport(_ credentials: ICECredentials, _ forwarder: Forwarder) -> LocalTransport {
    LocalTransport(
      sessionID: random() >> 1, usernameFragment: credentials.fragment, password: credentials.password,
      fingerprints: [certificate.fingerprint],
      candidates: candidates(of: forwarder).compactMap { CandidateLine(parsing: $0.text) },
      isLite: true)
  }

  /// Returns the sentence about an offer of which the relay accepts nothing.
  private func refusal(of offer: WebRTCDescription, _ forwarder: Forwarder) -> String {
    let answer = try? WebRTCDescription.answer(to: offer, with: localTransport(ICECredentials(), forwarder)) { _ in
      .refuse
    }
    for case .refused(let section) in answer?.sections ?? [] where section.kind == "audio" {
      return "the relay accepts no section of the offer in 'sdp': \(section.reason)"
    }
    return "the offer in 'sdp' has no audio section; offer one with Opus"
  }
}
