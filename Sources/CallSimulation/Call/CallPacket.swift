/// A datagram under way in a simulated call.
struct CallPacket: Sendable {
  /// What it carries.
  enum Kind: Sendable {
    /// A voice.
    case voice
    /// A voice that has been asked for again.
    case retransmitted
    /// RTCP.
    case control
  }

  let bytes: [UInt8]
  var kind = Kind.voice
  /// When it was sent, in nanoseconds of the call.
  let sentNanoseconds: Int
  /// When the last frame in it was captured.
  var capturedNanoseconds = 0
  /// Which of its receivers, one after another, it was sent to.
  var session = 0
}
