import RTP

extension WebRTCDescription {
  /// Makes the answer to an offer. It has the offer's sections in their order. Refused sections have port 0 and a
  /// reason in `RefusedSection`.
  ///
  /// The accepted sections share one transport, so they belong to one bundle of the offer. If the offer's tagged
  /// section is refused, such as a video, then the bundle continues with its first accepted section.
  ///
  /// - Parameters:
  ///   - offer: description of the peer.
  ///   - local: ICE and DTLS of the local side.
  ///   - previous: last description of the local side in this session; nil for the first.
  ///   - choose: decision about each section that can be accepted.
  /// - Returns: the answer; its version is the previous version + 1.
  /// - Throws: `OfferAnswerError` if the offer does not keep the sections of `previous`.
  public static func answer(
    to offer: WebRTCDescription, with local: LocalTransport, following previous: WebRTCDescription? = nil,
    choosing choose: (AudioSection) -> SectionAnswer
  ) throws(OfferAnswerError) -> WebRTCDescription {
    if let previous { try OfferAnswer.check(offer, keepsSectionsOf: previous) }
    var bundle: [String]?
    var sections: [MediaSection] = []
    for section in offer.sections {
      guard case .audio(let offered) = section else {
        sections.append(section)
        continue
      }
      let role = (offered.transport?.setup ?? .activeOrPassive).answer(established: local.establishedRole)
      if let reason = refusal(of: offered, role: role, bundle: bundle) {
        sections.append(.refused(RefusedSection(offered, reason: reason)))
        continue
      }
      guard case .accept(let terms) = choose(offered), let role else {
        sections.append(.refused(RefusedSection(offered, reason: .choice)))
        continue
      }
      if bundle == nil { bundle = offer.bundles.first { $0.contains { $0 == offered.mid } } ?? [] }
      sections.append(.audio(AudioSection(answering: offered, terms: terms, transport: local.transport(setup: role))))
    }
    let accepted = Set(sections.compactMap { $0.audio?.mid })
    let mids = (bundle ?? []).filter(accepted.contains)
    return WebRTCDescription(
      sessionID: previous?.sessionID ?? local.sessionID, version: (previous?.version ?? 0) &+ 1, isLite: local.isLite,
      sections: sections, bundles: mids.isEmpty ? [] : [mids])
  }

  /// Returns the reason why a section cannot be accepted; nil if it can.
  private static func refusal(of section: AudioSection, role: SetupRole?, bundle: [String]?) -> RefusalReason? {
    guard section.usesRTCPMux else { return .noRTCPMux }
    guard let transport = section.transport else { return .noICE }
    guard !transport.fingerprints.isEmpty else { return .noFingerprint }
    guard role != nil else { return .noConnection }
    if let bundle, !bundle.contains(where: { $0 == section.mid }) { return .notBundled }
    return nil
  }
}

extension AudioSection {
  /// Creates the answer to an offered section.
  fileprivate init(answering offered: AudioSection, terms: SectionAnswer.Terms, transport: TransportDescription) {
    let type = offered.opus.first { $0.payloadType == terms.payloadType } ?? offered.opus[0]
    self.init(
      mid: offered.mid, profile: offered.profile,
      opus: [OpusPayloadType(payloadType: type.payloadType, parameters: terms.parameters)])
    direction = terms.direction.intersection(offered.direction.reversed)
    self.transport = transport
    usesRTCPMux = true
    usesReducedSizeRTCP = offered.usesReducedSizeRTCP
    if terms.acceptsTelephoneEvents {
      telephoneEvents = offered.telephoneEvents.filter { $0.clockRate == OpusRTP.clockRate }
    }
    headerExtensions = NegotiatedHeaderExtensions.answer(to: offered.headerExtensions)
    if offered.supportsNack(payloadType: type.payloadType) {
      feedback = [RTCPFeedback(payloadType: type.payloadType, value: "nack")]
    }
    if direction.sends { name(terms.stream) }
  }

  /// Adds the names of a sent stream.
  mutating func name(_ stream: SentStream?) {
    guard let stream else { return }
    streams = [stream.id]
    sources = [stream.source]
  }
}
