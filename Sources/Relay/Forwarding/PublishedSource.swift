/// SSRC of the packets that a client publishes.
enum PublishedSource: Equatable {
  /// SSRC that the relay has assigned, or that the client's description names.
  case known(UInt32)
  /// First SSRC that comes with the negotiated payload type in an authentic packet.
  case first
  /// The description lets the client send nothing.
  case none
}
