/// Classification of a received packet: its stream, and whether it is a retransmission.
///
/// An `RTCPSession` classifies; a receiver that gets the classification with the packet counts the same packets as the
/// session.
public struct PacketClassification: Sendable, BitwiseCopyable {
  /// Stream of the packet.
  public var decision: SourceArbiter.Decision
  /// Origin of the packet; a retransmission does not show the delay of packets.
  public var origin: PacketOrigin

  /// Creates a classification from its parts.
  @_noLocks
  public init(_ decision: SourceArbiter.Decision, origin: PacketOrigin = .first) {
    self.decision = decision
    self.origin = origin
  }
}
