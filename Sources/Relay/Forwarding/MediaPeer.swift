import Platform
import RTP
import WebRTC

/// One media connection of a member, or of a preload that a member may take over.
final class MediaPeer: TimedObject {
  /// Addresses of a peer that find it; older ones are forgotten.
  static let largestRouteCount = 4
  /// SSRCs that a peer may use in RTCP.
  static let largestSourceCount = 8

  let transport: MediaTransport
  /// Name and password of the relay's end in the checks of the peer.
  let credentials: ICECredentials
  /// Whether the relay begins the handshake.
  let isDTLSClient: Bool
  /// User with the connection; nil before it, and after its end.
  unowned var user: MediaUser?
  /// Preload with the connection; nil for that of a member.
  unowned var preload: Preload?
  /// Format of the peer's packets.
  let format: PacketFormat
  /// Whether the peer takes packets.
  let listens: Bool
  /// Whether the peer takes requests for lost packets.
  let supportsNack: Bool
  /// SSRC of the relay's own reports to the peer.
  let relaySSRC: UInt32
  /// Legs by their SSRC.
  var legs: [UInt32: ForwardingLeg] = [:]
  /// Packets that the peer was sent.
  var sent = SentPackets()
  /// Address for packets; nil before the peer is connected.
  private(set) var address: SocketAddress?
  /// Index of the local socket of the newest packet, or of the last check before the connection.
  var local = 0
  /// Addresses of the peer, the oldest first.
  var routes: [RouteKey] = []
  /// Last round trip that a report showed.
  var roundTripNanoseconds: Int?
  /// Time of the next RTCP report; nil if there is nothing to report.
  var reportNanoseconds: Int?
  private var sources: [UInt32] = []
  private var source: PublishedSource
  private var sections: [ListenerSection]
  private var ssrcs: SSRCSequence

  init(_ transport: MediaTransport, _ terms: MediaTerms) {
    self.transport = transport
    credentials = terms.credentials
    isDTLSClient = terms.role == .client
    format = terms.format
    listens = terms.listens
    supportsNack = terms.supportsNack
    source = terms.source
    sections = terms.sections
    ssrcs = terms.ssrcs
    relaySSRC = ssrcs.next()
  }

  /// Whether the connection is in use.
  var isInUse: Bool { user != nil || preload != nil }

  // MARK: Sources

  /// SSRC with which the peer publishes; nil before the first packet of a peer whose description names none.
  var publishSSRC: UInt32? { if case .known(let ssrc) = source { ssrc } else { nil } }

  /// Whether a packet may be decrypted.
  func admits(_ header: RTPHeader) -> Bool {
    switch source {
    case .known(let ssrc): header.ssrc == ssrc
    case .first: header.payloadType == format.payloadType
    case .none: false
    }
  }

  /// Notes the SSRC of an authentic packet.
  func note(source ssrc: UInt32) { if source == .first { source = .known(ssrc) } }

  // MARK: Sections

  /// Returns an SSRC that the connection has not had.
  func makeSSRC() -> UInt32 { ssrcs.next() }

  /// Returns the SSRC for the packets of another user: one that no present user has.
  ///
  /// - Parameter publishes: whether the user publishes, and so takes the SSRC of a free section.
  func makeSSRC(publishes: Bool) -> UInt32 {
    if publishes, let free = sections.first(where: { $0.legSSRC == nil }), legs[free.ssrc] == nil { return free.ssrc }
    return ssrcs.next()
  }

  /// Returns the numbers and timestamps that the packets under an SSRC continue; nil for a new SSRC.
  func rewriter(of ssrc: UInt32) -> PacketRewriter? { sections.first { $0.ssrc == ssrc }?.rewriter }

  /// Ends a leg that is no longer in `legs`. The memory of its SSRC is freed unless the SSRC is that of a section.
  func end(_ leg: ForwardingLeg) {
    displace(leg)
    if let index = sections.firstIndex(where: { $0.ssrc == leg.ssrc }) {
      leg.rewriter.beginAnotherSource()
      sections[index].rewriter = leg.rewriter
    } else {
      transport.forgetSent(leg.ssrc)
    }
  }

  /// Gives a leg the first free section, at once or as soon as there is one. Its packets have no mid before.
  func place(_ leg: ForwardingLeg) {
    leg.wantsSection = true
    guard !sections.contains(where: { $0.legSSRC == leg.ssrc }),
      let index = sections.firstIndex(where: { $0.legSSRC == nil })
    else { return }
    sections[index].legSSRC = leg.ssrc
    leg.format = sections[index].format
  }

  /// Frees the section of a leg for the next one that waits.
  func displace(_ leg: ForwardingLeg) {
    leg.wantsSection = false
    guard let index = sections.firstIndex(where: { $0.legSSRC == leg.ssrc }) else { return }
    sections[index].legSSRC = nil
    leg.format = looseFormat
    let waiting = legs.values.filter { leg in
      leg.wantsSection && !sections.contains { $0.legSSRC == leg.ssrc }
    }
    if let next = waiting.min(by: { $0.publisherUID < $1.publisherUID }) { place(next) }
  }

  /// Format of packets in no section.
  var looseFormat: PacketFormat { sections.first?.format.withoutMid ?? format }

  /// Notes the address and the state of the transport.
  func refresh() { address = transport.isConnected ? transport.remoteAddress : nil }

  /// Whether RTCP of an SSRC may be decrypted: every new SSRC takes memory.
  func admits(rtcpSource ssrc: UInt32) -> Bool {
    ssrc == publishSSRC || sources.count < Self.largestSourceCount || sources.contains(ssrc)
  }

  /// Notes the SSRC of authentic RTCP.
  func note(rtcpSource ssrc: UInt32) {
    if ssrc != publishSSRC, sources.count < Self.largestSourceCount, !sources.contains(ssrc) { sources.append(ssrc) }
  }
}
