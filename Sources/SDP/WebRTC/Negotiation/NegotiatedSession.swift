/// Session that offer and answer agree on, from the local side's point of view.
public struct NegotiatedSession: Hashable, Sendable {
  /// ICE and DTLS of the peer.
  public let remoteTransport: TransportDescription
  /// Whether the peer is an ICE-lite agent; the local side then is the controlling one.
  public let isRemoteLite: Bool
  /// DTLS role of the local side: `active` or `passive`.
  public let localRole: SetupRole
  /// Accepted sections, in order.
  public let sections: [NegotiatedSection]
}
