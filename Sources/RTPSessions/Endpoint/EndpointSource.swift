import AudioGraph
import MediaStreams
import Platform
import RTP

/// A source of an `RTPEndpoint`: its user in the pipeline, its jitter buffer, and the reports to it.
///
/// Thread: the endpoint's.
final class EndpointSource {
  let user: UInt32
  let ssrc: UInt32
  private(set) var format: RTPPayloadFormat
  /// Payload type of the first packet, or of those that have followed a change.
  private(set) var payloadType: UInt8
  let source: RTPSource
  var session: RTCPSession
  var keys: KeyPressReader?
  /// Origin of the newest packet.
  var address: SocketAddress
  /// Arrival of the newest packet, in nanoseconds.
  var newestArrival: Int
  /// Time at which the source said BYE, in nanoseconds; nil before it.
  var byeArrival: Int?

  /// Another payload type, and its packets in a row.
  private var other: (type: UInt8, count: Int) = (0, 0)

  /// Packets in a row after which another payload type is that of the source: fewer may be late ones.
  private static let changeCount = 3
  /// Longest time that the buffer plays on after a BYE, in nanoseconds.
  private static let tail = 1_000_000_000

  init(
    user: UInt32, header: RTPHeader, format: RTPPayloadFormat, source: RTPSource, session: consuming RTCPSession,
    keys: KeyPressReader?, address: SocketAddress, arrival: Int
  ) {
    self.user = user
    ssrc = header.ssrc
    payloadType = header.payloadType
    self.format = format
    self.source = source
    self.session = session
    self.keys = keys
    self.address = address
    newestArrival = arrival
  }

  /// Notes the payload type of a packet.
  ///
  /// - Returns: Whether the source has changed to it.
  func hasChanged(to type: UInt8) -> Bool {
    guard type != payloadType else {
      other.count = 0
      return false
    }
    other = (type, other.type == type ? other.count + 1 : 1)
    return other.count >= Self.changeCount
  }

  /// Takes another payload type that the source's buffer decodes, too: the laws of G.711 are one codec there.
  ///
  /// - Returns: Whether the buffer decodes it.
  func take(_ format: RTPPayloadFormat, _ type: UInt8) -> Bool {
    guard ReceiverCodec(self.format).hasSibling(payloadType, type) else { return false }
    (self.format, payloadType) = (format, type)
    return true
  }

  /// Takes a packet of the source.
  func take(_ packet: UnsafeRawBufferPointer, arrival: Int) {
    newestArrival = max(newestArrival, arrival)
    switch source.take(packet, arrivalNanoseconds: arrival, classifiedBy: &session) {
    case .sound(_, let classification, let earlier):
      if case .unknownSource = classification.decision { return }
      byeArrival = nil
      for packet in earlier { packet.bytes.withUnsafeBytes { take($0, arrival: packet.arrival) } }
    case .soundless: keys?.receive(packet: packet, nowNanoseconds: arrival)
    case .foreign, .oversized: break
    }
  }

  /// Takes an RTCP datagram that the source may have sent.
  func takeReports(_ datagram: UnsafeRawBufferPointer, arrival: Int) -> LinkFeedback? {
    guard let news = try? session.receive(datagram, nowNanoseconds: arrival) else { return nil }
    if news.isFromSource, news.hasLeft {
      byeArrival = arrival
      source.receiveBye()
    }
    return news.hasReport || news.hasRoundTrip ? LinkFeedback(session.report) : nil
  }

  /// Returns the reason for the end of the source, once its last sound has been played; nil before.
  func end(now: Int, timeout: Int) -> SourceEnd? {
    if let byeArrival { return source.latestSnapshot.stage == .idle || now - byeArrival > Self.tail ? .bye : nil }
    return now - newestArrival > timeout ? .timeout : nil
  }
}
