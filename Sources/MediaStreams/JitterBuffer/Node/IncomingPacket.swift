import RTP

/// Packet between the network's thread and the audio thread; a slot of a ring.
struct IncomingPacket: BitwiseCopyable, Sendable {
  /// Place of its bytes in memory that both ends share.
  var place: Int
  var byteCount: Int
  /// Time of arrival, in nanoseconds of the engine's clock.
  var arrival: Int
  /// Whether the packet came as first sent.
  var origin: PacketOrigin
  /// Stream of the packet; nil if that has not been found out.
  var decision: SourceArbiter.Decision?

  init() {
    place = 0
    byteCount = 0
    arrival = 0
    origin = .first
  }
}
