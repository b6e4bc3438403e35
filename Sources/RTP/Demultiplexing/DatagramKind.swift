/// Which protocol a datagram belongs to, where several share one port.
///
/// Source: RFC 7983, section 7, for the first byte; RFC 5761, section 4, for what tells RTCP from RTP.
public enum DatagramKind: UInt8, Sendable, BitwiseCopyable {
  /// First byte 0...3.
  case stun
  /// First byte 16...19.
  case zrtp
  /// First byte 20...63.
  case dtls
  /// First byte 64...79.
  case turnChannel
  /// First byte 128...191, second byte none of RTCP's.
  case rtp
  /// First byte 128...191, second byte 192...223.
  case rtcp
  /// Anything else, and what has no bytes: dropped.
  case unknown

  /// Whether packets of this payload type are told from RTCP, with the marker bit too: 64 to 95 are not.
  public static func canTell(payloadType: UInt8) -> Bool { !(64...95).contains(payloadType) }

  /// Looks at the first two bytes. Whether the rest is what they promise, the protocol's own parser says.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public init(_ datagram: UnsafeRawBufferPointer) {
    guard datagram.count > 0, let base = datagram.baseAddress else {
      self = .unknown
      return
    }
    let first = byte(base, 0)
    if first <= 3 {
      self = .stun
    } else if first >= 16 && first <= 19 {
      self = .zrtp
    } else if first >= 20 && first <= 63 {
      self = .dtls
    } else if first >= 64 && first <= 79 {
      self = .turnChannel
    } else if first >= 128 && first <= 191 && datagram.count > 1 {
      let second = byte(base, 1)
      self = second >= 192 && second <= 223 ? .rtcp : .rtp
    } else {
      self = .unknown
    }
  }
}
