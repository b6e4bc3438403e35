/// Reason why a media section is not used.
public enum RefusalReason: Hashable, Sendable, CustomStringConvertible {
  /// Video, data or other media.
  case notAudio
  /// The section has port 0.
  case switchedOff
  /// The section's transport is not RTP.
  case profile
  /// The section has no Opus with a usable payload type.
  case noOpus
  /// RTCP has a port of its own, which this program does not open.
  case noRTCPMux
  /// The section has no ICE user name and password.
  case noICE
  /// The section has no digest of a certificate.
  case noFingerprint
  /// The section's `setup` does not allow a connection.
  case noConnection
  /// The section is outside the bundle of the accepted sections.
  case notBundled
  /// The local program refuses the section.
  case choice

  public var description: String {
    switch self {
    case .notAudio: "the section is not audio; remove it from the offer"
    case .switchedOff: "the section has port 0; offer port 9"
    case .profile: "the section's transport is not RTP; offer UDP/TLS/RTP/SAVPF"
    case .noOpus: "the section has no Opus; offer a=rtpmap:111 opus/48000/2"
    case .noRTCPMux: "the section has a separate port for RTCP; offer a=rtcp-mux"
    case .noICE: "the section has no ICE; offer a=ice-ufrag and a=ice-pwd"
    case .noFingerprint: "the section has no certificate; offer a=fingerprint"
    case .noConnection: "the section offers a=setup:holdconn; offer a=setup:actpass"
    case .notBundled: "the section is outside the bundle of the first accepted section; offer one a=group:BUNDLE"
    case .choice: "the program does not accept the section"
    }
  }
}
