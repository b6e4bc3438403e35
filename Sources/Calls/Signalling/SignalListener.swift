/// Receives the messages of a `SignalClient`. Calls come one at a time, on a thread of the client.
public protocol SignalListener: AnyObject, Sendable {
  /// Takes a message.
  ///
  /// - Parameters:
  ///   - message: Text of at most 16 KiB.
  ///   - userID: Sender by the word of the channel, as a decimal uid.
  func onMessageReceive(_ message: String, from userID: String)
  /// Takes a line about the channel, for logs.
  func debugInfo(_ message: String, level: CallLogLevel)
}
