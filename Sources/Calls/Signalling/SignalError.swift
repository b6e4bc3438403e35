/// Reason why a message was not sent.
public struct SignalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Fate of the message.
  public enum Reason: Hashable, Sendable {
    /// The receiver has no session: nobody has the message.
    case noSuchUser
    /// The channel has refused the message: nobody has it.
    case refused
    /// The connection was missing: nobody has the message.
    case notConnected
    /// A limit is reached for a moment: nobody has the message.
    case limited
    /// The connection was lost before the answer: the receiver may have the message, or not.
    case unknown
  }

  /// Fate of the message.
  public let reason: Reason
  /// Number of the channel's answer: that of a `ChannelErrorCode` at a relay, the reason code of MQTT 5 at a broker.
  public let code: Int
  /// Sentence to show: the fault, its place and the remedy.
  public let message: String

  /// Creates an error from its parts.
  public init(_ reason: Reason, code: Int, _ message: String) {
    self.reason = reason
    self.code = code
    self.message = message
  }

  public var description: String { message }
}
