import Platform
import Signalling
import WebRTC

/// Transports to the media address of a relay.
extension MediaTransport {
  /// Starts a transport to the relay's candidates; nil if its parameters cannot be used.
  convenience init?(
    to parameters: TransportParameters, _ credentials: ICECredentials, _ certificate: DTLSCertificate, _ now: Int
  ) {
    guard let remote = ICECredentials(fragment: parameters.ufrag, password: parameters.password.text) else {
      return nil
    }
    let candidates = parameters.candidates.compactMap { candidate in
      SocketAddress(host: candidate.address, port: candidate.port).map {
        ICECandidate(
          $0, kind: ICECandidateKind(candidate.kind), foundation: candidate.foundation,
          localPreference: UInt16(truncatingIfNeeded: candidate.priority >> 8))
      }
    }
    guard !candidates.isEmpty else { return nil }
    self.init(
      client: ICEControllingAgent(
        local: credentials, remote: remote, isPeerLite: true, candidates: candidates, nowNanoseconds: now),
      candidates: candidates, certificate: certificate, role: parameters.setup == .active ? .server : .client,
      remoteFingerprints: [parameters.fingerprint])
    poll(nowNanoseconds: now)
  }
}

extension TransportParameters {
  /// Offer of a client.
  init(_ credentials: ICECredentials, _ certificate: DTLSCertificate) {
    self.init(
      ufrag: credentials.fragment, password: SecretText(credentials.password), fingerprint: certificate.fingerprint,
      setup: .actpass)
  }
}

extension ICECandidateKind {
  fileprivate init(_ kind: CandidateKind) {
    switch kind {
    case .host: self = .host
    case .serverReflexive: self = .serverReflexive
    case .peerReflexive: self = .peerReflexive
    case .relayed: self = .relay
    }
  }
}
