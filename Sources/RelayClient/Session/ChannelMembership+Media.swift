package import Platform
import RTP
import Signalling
package import WebRTC

/// Datagrams of a membership.
extension ChannelMembership {
  /// Address for packets; nil before it is known.
  package var remoteAddress: SocketAddress? { transport?.remoteAddress }

  /// Whether packets can be sent.
  package var canSend: Bool { isTransportReady && transport?.isConnected == true }

  /// Takes a datagram.
  ///
  /// - Parameter datagram: The datagram, at a multiple of 4 bytes; a packet is decrypted in place.
  package func receive(
    _ datagram: UnsafeMutableRawBufferPointer, from source: SocketAddress, nowNanoseconds now: Int
  ) -> ReceivedMedia {
    guard let transport else { return .nothing }
    let media = transport.receive(datagram, from: source, nowNanoseconds: now)
    if media != .nothing, isTransportReady { times.heard = max(times.heard, now) }
    noteAnswers(now)
    takeTransportEvents(now)
    return media
  }

  /// Encrypts a packet in place; `memory` holds it and 64 bytes more.
  ///
  /// - Returns: Bytes of the datagram; nil if it cannot be sent.
  package func protect(
    _ memory: UnsafeMutableRawBufferPointer, byteCount: Int, isRTCP: Bool, nowNanoseconds now: Int
  ) -> Int? {
    guard isTransportReady, let transport else { return nil }
    let count =
      isRTCP
      ? transport.protectRTCP(memory, byteCount: byteCount) : transport.protect(memory, byteCount: byteCount)
    if count != nil { times.sentPacket = now }
    return count
  }

  func takeTransportEvents(_ now: Int) {
    while let event = transport?.takeEvent() {
      switch event {
      case .connected: if phase == .connecting { succeed(now) }
      case .moved: break
      case .failed:
        let wasReady = isTransportReady
        dropTransport()
        if phase == .connected { rejoin(now) } else if !wasReady, phase != .leaving { retry(now) }
      }
    }
  }

  /// Starts a transport to the relay's candidates.
  ///
  /// - Returns: false if the relay's parameters cannot be used.
  func connect(_ parameters: TransportParameters, _ now: Int) -> Bool {
    guard let remote = ICECredentials(fragment: parameters.ufrag, password: parameters.password.text) else {
      return false
    }
    let candidates = parameters.candidates.compactMap { candidate in
      SocketAddress(host: candidate.address, port: candidate.port).map {
        ICECandidate(
          $0, kind: ICECandidateKind(candidate.kind), foundation: candidate.foundation,
          localPreference: UInt16(truncatingIfNeeded: candidate.priority >> 8))
      }
    }
    guard !candidates.isEmpty else { return false }
    isTransportReady = false
    mediaAddress = candidates.first?.usableAddress
    transport = MediaTransport(
      client: ICEControllingAgent(
        local: credentials, remote: remote, isPeerLite: true, candidates: candidates, nowNanoseconds: now),
      candidates: candidates, certificate: certificate, role: parameters.setup == .active ? .server : .client,
      remoteFingerprints: [parameters.fingerprint])
    transport?.poll(nowNanoseconds: now)
    return true
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
