/// What is known of a packet that has come: to which stream it belongs, and whether it came as it was first sent.
///
/// A `FeedbackSession` judges; a receiver that is given it with the packet counts the same packets as the session does.
public struct PacketJudgement: Sendable, BitwiseCopyable {
  /// To which stream it belongs.
  public var verdict: StreamGate.Verdict
  /// One that was sent again says nothing about how long packets take.
  public var origin: PacketOrigin

  /// A judgement of its two parts.
  @_noLocks
  public init(_ verdict: StreamGate.Verdict, origin: PacketOrigin = .first) {
    self.verdict = verdict
    self.origin = origin
  }
}
