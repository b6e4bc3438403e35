import RTP

/// A packet on its way from the network's thread to the audio thread; a slot of a ring.
struct IncomingPacket: BitwiseCopyable, Sendable {
  /// Where its bytes lie in memory that both ends share.
  var place: Int
  var byteCount: Int
  /// When it came, in nanoseconds of the engine's clock.
  var arrival: Int
  /// Whether it came as it was first sent.
  var origin: PacketOrigin
  /// To which stream it belongs; nil = that has not been found out.
  var decision: SourceArbiter.Decision?

  init() {
    place = 0
    byteCount = 0
    arrival = 0
    origin = .first
  }
}
