import Platform
import RTP
import WebRTC

/// One media connection of a member.
final class MediaPeer {
  /// Addresses of a peer that find it; older ones are forgotten.
  static let largestRouteCount = 4
  /// SSRCs that a peer may use in RTCP.
  static let largestSourceCount = 8
  /// Step from one SSRC to the next: odd, so that 2^32 of them differ.
  private static let ssrcStep: UInt32 = 0x9E37_79B1

  let transport: MediaTransport
  /// Name in the checks of the peer.
  let fragment: String
  /// Password of the checks of the peer.
  let password: String
  /// Whether the relay begins the handshake.
  let isDTLSClient: Bool
  unowned let member: Member
  /// SSRC with which the peer publishes.
  let publishSSRC: UInt32
  /// SSRC of the relay's own reports to the peer.
  let relaySSRC: UInt32
  /// Legs by their SSRC.
  var legs: [UInt32: ForwardingLeg] = [:]
  /// Address for packets; nil before the peer is connected.
  private(set) var address: SocketAddress?
  /// Index of the local socket of the last check.
  var local = 0
  /// Addresses of the peer, the oldest first.
  var routes: [RouteKey] = []
  /// Last round trip that a report showed.
  var roundTripNanoseconds: Int?
  /// Time of the next RTCP report; nil if there is nothing to report.
  var reportNanoseconds: Int?
  private var sources: [UInt32] = []
  private var nextSSRC: UInt32
  private var retransmissions: (secondNanoseconds: Int, count: Int) = (.min / 2, 0)

  init(
    _ transport: MediaTransport, _ credentials: ICECredentials, isDTLSClient: Bool, _ member: Member, firstSSRC: UInt32
  ) {
    self.transport = transport
    fragment = credentials.fragment
    password = credentials.password
    self.isDTLSClient = isDTLSClient
    self.member = member
    publishSSRC = firstSSRC
    relaySSRC = firstSSRC &+ Self.ssrcStep
    nextSSRC = relaySSRC
  }

  /// Returns an SSRC that this connection has not had.
  func makeSSRC() -> UInt32 {
    nextSSRC &+= Self.ssrcStep
    return nextSSRC
  }

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

  /// Counts a packet that is sent again.
  ///
  /// - Returns: Whether it is within the limit of a second.
  func countRetransmission(limit: Int, nowNanoseconds now: Int) -> Bool {
    if now &- retransmissions.secondNanoseconds >= 1_000_000_000 { retransmissions = (now, 0) }
    retransmissions.count += 1
    return retransmissions.count <= limit
  }
}
