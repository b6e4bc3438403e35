/// Checks of offers and answers against one another.
///
/// Source: RFC 3264, sections 6 to 8; RFC 8829, section 5.11; RFC 9143, section 7.
public enum OfferAnswer {
  /// Applies the peer's answer to an offer of the local side.
  ///
  /// - Throws: `OfferAnswerError` for the first difference that does not allow a session.
  public static func apply(
    answer: WebRTCDescription, to offer: WebRTCDescription
  ) throws(OfferAnswerError) -> NegotiatedSession {
    try session(offer: offer, answer: answer, isOfferer: true)
  }

  /// Returns the session of a local answer to the peer's offer.
  ///
  /// - Throws: `allRefused` if no section is accepted; another error if the answer does not belong to the offer.
  public static func session(
    of answer: WebRTCDescription, toRemote offer: WebRTCDescription
  ) throws(OfferAnswerError) -> NegotiatedSession {
    try session(offer: offer, answer: answer, isOfferer: false)
  }

  private static func session(
    offer: WebRTCDescription, answer: WebRTCDescription, isOfferer: Bool
  ) throws(OfferAnswerError) -> NegotiatedSession {
    guard offer.sections.count == answer.sections.count else {
      throw .sectionCount(offered: offer.sections.count, answered: answer.sections.count)
    }
    var sections: [(offered: AudioSection, answered: AudioSection)] = []
    var negotiated: [NegotiatedSection] = []
    for (index, (ours, theirs)) in zip(offer.sections, answer.sections).enumerated() {
      guard ours.kind == theirs.kind else { throw .kind(section: index) }
      // Peers that do not know bundles omit the mid.
      if let mid = theirs.mid, mid != ours.mid { throw .mid(section: index) }
      guard let answered = theirs.audio else { continue }
      guard let offered = ours.audio else { throw .switchedOff(section: index) }
      try check(answered, offered, index)
      sections.append((offered, answered))
      if sections.count > 1 {
        let mids = sections.map(\.offered.mid)
        guard answer.bundles.contains(where: { bundle in mids.allSatisfy { $0.map(bundle.contains) ?? false } }) else {
          throw .notBundled(section: index)
        }
      }
      negotiated.append(
        NegotiatedSection(
          index: index, offered: offered, answered: answered, local: isOfferer ? offered : answered,
          remote: isOfferer ? answered : offered))
    }
    // The first accepted section of the answer's bundle decides the transport, not the first one of the list.
    let tagged = answer.bundles.first { bundle in sections.contains { $0.offered.mid.map(bundle.contains) ?? false } }?
      .lazy.compactMap { mid in sections.first { $0.offered.mid == mid } }.first
    guard let tagged = tagged ?? sections.first, let answerTransport = tagged.answered.transport,
      let offerTransport = tagged.offered.transport, let role = answerTransport.setup
    else { throw .allRefused }
    return NegotiatedSession(
      remoteTransport: isOfferer ? answerTransport : offerTransport,
      isRemoteLite: isOfferer ? answer.isLite : offer.isLite,
      localRole: isOfferer ? (role == .active ? .passive : .active) : role, sections: negotiated)
  }

  private static func check(
    _ answered: AudioSection, _ offered: AudioSection, _ index: Int
  ) throws(OfferAnswerError) {
    guard answered.opus.allSatisfy({ type in offered.opus.contains { $0.payloadType == type.payloadType } }) else {
      throw .payloadType(section: index)
    }
    for mapping in answered.headerExtensions {
      if let identifier = offered.identifier(ofExtension: mapping.uri), identifier != mapping.identifier {
        throw .headerExtension(section: index)
      }
    }
    guard answered.usesRTCPMux else { throw .rtcpMux(section: index) }
    guard let transport = answered.transport, offered.transport != nil else { throw .noICE(section: index) }
    guard !transport.fingerprints.isEmpty else { throw .noFingerprint(section: index) }
    let allowed: [SetupRole]
    switch offered.transport?.setup ?? .activeOrPassive {
    case .activeOrPassive: allowed = [.active, .passive]
    case .active: allowed = [.passive]
    case .passive: allowed = [.active]
    case .holdConnection: allowed = []
    }
    guard let role = transport.setup, allowed.contains(role) else { throw .setup(section: index) }
  }

  /// Checks that a later offer has the sections of the last description at their indices. A section that was refused
  /// may be replaced by another one.
  static func check(
    _ offer: WebRTCDescription, keepsSectionsOf previous: WebRTCDescription
  ) throws(OfferAnswerError) {
    guard offer.sections.count >= previous.sections.count else {
      throw .sectionsRemoved(before: previous.sections.count, now: offer.sections.count)
    }
    for (index, (now, before)) in zip(offer.sections, previous.sections).enumerated() {
      guard before.audio != nil else { continue }
      guard now.kind == before.kind else { throw .kind(section: index) }
      guard now.mid == before.mid else { throw .mid(section: index) }
    }
  }
}
