import RTP

extension WebRTCDescription {
  /// Makes an offer of audio sections in one bundle. The peer chooses the DTLS role, except in an existing connection.
  ///
  /// - Parameters:
  ///   - sections: all sections of the session, in their order; later offers keep it. Traps for more than 32, which no
  ///     peer of this program reads, and for repeated mids.
  ///   - local: ICE and DTLS of the local side.
  ///   - previous: last description of the local side in this session; nil for the first.
  /// - Throws: `OfferAnswerError` if the sections of `previous` are not kept.
  public static func offer(
    sections: [OfferedSection], with local: LocalTransport, following previous: WebRTCDescription? = nil
  ) throws(OfferAnswerError) -> WebRTCDescription {
    precondition(sections.count <= maximumAudioSectionCount, "an offer has at most 32 audio sections")
    precondition(Set(sections.map(\.mid)).count == sections.count, "each section has its own mid")
    let offer = WebRTCDescription(
      sessionID: previous?.sessionID ?? local.sessionID, version: (previous?.version ?? 0) &+ 1, isLite: local.isLite,
      sections: sections.map { section in
        let audio = AudioSection(offering: section, transport: local.transport(setup: .activeOrPassive))
        return section.isSwitchedOff ? .refused(RefusedSection(audio, reason: .switchedOff)) : .audio(audio)
      },
      bundles: [sections.filter { !$0.isSwitchedOff }.map(\.mid)].filter { !$0.isEmpty })
    if let previous { try OfferAnswer.check(offer, keepsSectionsOf: previous) }
    return offer
  }
}

extension AudioSection {
  fileprivate init(offering section: OfferedSection, transport: TransportDescription) {
    self.init(mid: section.mid, opus: [section.opus])
    direction = section.direction
    self.transport = transport
    usesRTCPMux = true
    usesReducedSizeRTCP = true
    if let type = section.telephoneEventType {
      telephoneEvents = [TelephoneEventFormat(payloadType: type, clockRate: OpusRTP.clockRate)]
    }
    headerExtensions = NegotiatedHeaderExtensions.offered
    feedback = [RTCPFeedback(payloadType: section.opus.payloadType, value: "nack")]
    if direction.sends { name(section.stream) }
  }
}
