/// Result of a datagram at a lite agent.
public struct ICELiteAnswer: Hashable, Sendable {
  /// Bytes of the response in the caller's memory, for the datagram's source; 0 for silence.
  public let replyByteCount: Int
  /// Whether the datagram was a check under the session's password.
  public let isAuthentic: Bool
  /// Change of the session; nil without one.
  public let event: ICELiteEvent?

  /// A datagram that is dropped in silence.
  static let silence = ICELiteAnswer(replyByteCount: 0, isAuthentic: false, event: nil)
}
