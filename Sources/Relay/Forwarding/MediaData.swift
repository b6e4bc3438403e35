import DataStreams
import NetworkIO
import SRTP
import Signalling
import WebRTC

/// Messages of data streams from a user, and to it, on one media connection.
///
/// Thread: that which holds the forwarder.
final class MediaData {
  /// Bytes of sent messages that are kept for the requests of a listener: it hears many users.
  private static let keptByteCount = 262_144

  let peer: MediaPeer
  /// SSRC of the user's messages.
  let ssrc: UInt32
  /// SSRC of the messages to the user.
  let listenerSSRC: UInt32
  /// SSRCs that the client knows; nil before the answer to its join.
  var announced: DataSources?
  /// Whether the user's rights and its role let it send.
  var maySend = false
  /// Whether the user's rights let it receive.
  var mayReceive = false
  /// Packets of the user that are missed.
  var gaps = DataGaps(largestCount: 128)
  /// Packets to the user.
  var history = DataHistory(largestByteCount: keptByteCount)
  /// Messages that the user may send. Messages that were requested come at once, so that those of 2 s may.
  private var allowance: RateLimit
  /// Numbers under the user's key; nil before the first packet.
  private var source: SourceState?

  init(_ peer: MediaPeer, nowNanoseconds now: Int) {
    self.peer = peer
    ssrc = peer.makeSSRC()
    listenerSSRC = peer.makeSSRC()
    // Those of a third of a second at first: a user that joins again must not gain by it.
    let limit = DataLimits.messagesPerSecond
    allowance = RateLimit(perSecond: limit, burst: 2 * limit, available: limit / 3, at: Int64(now))
  }

  /// Counts a message of the user.
  ///
  /// - Returns: Whether it is within the limit.
  func allows(_ now: Int) -> Bool { allowance.allows(at: Int64(now)) }

  /// Encrypts a packet to the user in place.
  ///
  /// - Returns: Bytes of the datagram; nil if the user is not connected.
  func protect(_ memory: UnsafeMutableRawBufferPointer, byteCount: Int) -> Int? {
    if source == nil { source = peer.transport.source(listenerSSRC) }
    guard let source else { return nil }
    return peer.transport.protect(memory, byteCount: byteCount, source)
  }

  /// Time of the next request or repetition; nil if none is needed.
  var nextDeadlineNanoseconds: Int? {
    guard let request = gaps.nextDeadlineNanoseconds else { return history.nextDeadlineNanoseconds }
    return min(request, history.nextDeadlineNanoseconds ?? .max)
  }
}
