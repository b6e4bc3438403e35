import Cryptography
import RTP
import SDP

/// The local side in tests.
enum Local {
  static let digest = CertificateFingerprint(bytes: (0..<32).map { UInt8($0) })!
  static let candidate = CandidateLine(parsing: "1 1 udp 2130706431 198.51.100.7 5000 typ host")!

  static func transport(isLite: Bool = true, role: SetupRole? = nil) -> LocalTransport {
    LocalTransport(
      sessionID: 77, usernameFragment: "localfrag", password: "localpasswordlocalpassword", fingerprints: [digest],
      candidates: [candidate], options: ["ice2"], isLite: isLite, establishedRole: role)
  }

  static let stream = SentStream(ssrc: 0xFFFF_FFFF, cname: "us", id: MediaStreamID(stream: "room", track: "mix"))

  static func answer(
    _ offer: String, role: SetupRole? = nil, following previous: WebRTCDescription? = nil,
    _ terms: SectionAnswer.Terms = SectionAnswer.Terms(stream: stream)
  ) throws -> WebRTCDescription {
    try WebRTCDescription.answer(
      to: WebRTCDescription(parsing: offer), with: transport(role: role), following: previous
    ) { _ in .accept(terms) }
  }

  /// A small offer of sections, which share the session's transport.
  static func offer(
    _ sections: [String], session: [String] = ["a=group:BUNDLE 0 1 2", "a=setup:actpass"], mux: Bool = true
  ) -> String {
    ([
      "v=0", "o=- 1 1 IN IP4 0.0.0.0", "s=-", "t=0 0", "a=ice-ufrag:peer", "a=ice-pwd:peerpasswordpeerpassword",
      "a=fingerprint:sha-256 \(BrowserOffers.digest)",
    ] + session + sections).map { $0 + "\r\n" }.joined()
  }

  /// Lines of an audio section with Opus.
  static func audio(_ mid: String, _ added: String...) -> [String] {
    ["m=audio 9 UDP/TLS/RTP/SAVPF 111", "a=mid:\(mid)", "a=rtpmap:111 opus/48000/2", "a=rtcp-mux"] + added
  }
}
