/// Reason why a description does not fit the one before it. Indices of sections begin with 0.
public enum OfferAnswerError: Error, Hashable, CustomStringConvertible {
  /// The descriptions have different numbers of sections.
  case sectionCount(offered: Int, answered: Int)
  /// A section has another mid than before.
  case mid(section: Int)
  /// A section has another kind of media than before.
  case kind(section: Int)
  /// The answer accepts a section that the offer has switched off.
  case switchedOff(section: Int)
  /// The answer has a payload type that the offer does not have.
  case payloadType(section: Int)
  /// The answer has a number of a header extension that differs from the offer's.
  case headerExtension(section: Int)
  /// The answer does not share the port of RTP with RTCP.
  case rtcpMux(section: Int)
  /// The answer has no ICE user name and password.
  case noICE(section: Int)
  /// The answer has no digest of a certificate.
  case noFingerprint(section: Int)
  /// The DTLS roles of offer and answer do not fit.
  case setup(section: Int)
  /// The answer accepts several sections outside one bundle.
  case notBundled(section: Int)
  /// The answer accepts no section.
  case allRefused
  /// A later offer has fewer sections than the last description.
  case sectionsRemoved(before: Int, now: Int)

  public var description: String {
    switch self {
    case .sectionCount(let offered, let answered):
      "the SDP answer has \(answered) media sections for \(offered) offered ones; answer each section, with port 0 to refuse it"
    case .mid(let section): "media section \(section) of the SDP has another a=mid than before; keep the mid"
    case .kind(let section): "media section \(section) of the SDP has another kind of media than before; keep the kind"
    case .switchedOff(let section):
      "media section \(section) of the SDP answer is switched off in the offer; answer it with port 0"
    case .payloadType(let section):
      "media section \(section) of the SDP answer has an Opus payload type that the offer does not have; keep the offer's"
    case .headerExtension(let section):
      "media section \(section) of the SDP answer has an a=extmap with another number; keep the offer's"
    case .rtcpMux(let section): "media section \(section) of the SDP answer has no a=rtcp-mux; add it"
    case .noICE(let section):
      "media section \(section) of the SDP answer has no ICE; add a=ice-ufrag and a=ice-pwd"
    case .noFingerprint(let section): "media section \(section) of the SDP answer has no a=fingerprint; add it"
    case .setup(let section):
      "media section \(section) of the SDP answer has an a=setup that does not fit the offer's; answer active or passive"
    case .notBundled(let section):
      "media section \(section) of the SDP answer is outside the bundle; answer one a=group:BUNDLE with all accepted sections"
    case .allRefused: "the SDP answer refuses all media sections; offer Opus audio that the peer accepts"
    case .sectionsRemoved(let before, let now):
      "the SDP offer has \(now) media sections after \(before); keep them, with port 0 to switch them off"
    }
  }
}
