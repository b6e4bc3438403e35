/// What is known of a packet that has come: to which stream it belongs, and whether it came as it was first sent.
///
/// A `RTCPSession` judges; a receiver that is given it with the packet counts the same packets as the session does.
public struct PacketClassification: Sendable, BitwiseCopyable {
  /// To which stream it belongs.
  public var decision: SourceArbiter.Decision
  /// One that was sent again says nothing about how long packets take.
  public var origin: PacketOrigin

  /// A judgement of its two parts.
  @_noLocks
  public init(_ decision: SourceArbiter.Decision, origin: PacketOrigin = .first) {
    self.decision = decision
    self.origin = origin
  }
}
