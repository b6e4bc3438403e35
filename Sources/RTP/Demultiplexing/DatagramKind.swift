/// Protocol of a datagram, if several protocols share one port.
///
/// Source: RFC 7983, section 7, for the first byte; RFC 5761, section 4, for the distinction of RTCP and RTP.
public enum DatagramKind: UInt8, Sendable, BitwiseCopyable {
  /// First byte 0...3.
  case stun
  /// First byte 16...19.
  case zrtp
  /// First byte 20...63.
  case dtls
  /// First byte 64...79.
  case turnChannel
  /// First byte 128...191, second byte outside 192...223.
  case rtp
  /// First byte 128...191, second byte 192...223.
  case rtcp
  /// Any other datagram, also an empty one; to be dropped.
  case unknown

  /// Returns whether packets of a payload type are distinguishable from RTCP, also with the marker bit. Types 64 to 95
  /// are not.
  public static func canTell(payloadType: UInt8) -> Bool { !(64...95).contains(payloadType) }

  /// Determines the protocol from the first two bytes; the protocol's own parser checks the rest.
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
