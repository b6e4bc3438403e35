/// A datagram under way in a simulated call.
struct CallPacket: Sendable {
  /// Contents of a packet.
  enum Kind: Sendable {
    /// A voice packet sent for the first time.
    case voice
    /// A voice packet sent again after a request.
    case retransmitted
    /// An RTCP packet.
    case control
  }

  let bytes: [UInt8]
  var kind = Kind.voice
  /// Send time, in nanoseconds of the call.
  let sentNanoseconds: Int
  /// Capture time of the last frame in the packet, in nanoseconds of the call.
  var capturedNanoseconds = 0
  /// Number of the session between the two users that the packet was sent in.
  var session = 0
}
