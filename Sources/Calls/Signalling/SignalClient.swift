/// Carries the messages of calls from user to user. The channel names each message's sender, never the message itself.
///
/// A client delivers a message at most a few times, in any order or not at all: calls allow for that. Thread: any.
public protocol SignalClient: AnyObject, Sendable {
  /// Sends a message to every session of a user.
  ///
  /// - Parameters:
  ///   - message: Text of at most 16 KiB of UTF-8.
  ///   - userID: The user, by decimal uid.
  ///   - expiry: Time after which the message must not be delivered any more, as far as the channel can tell.
  ///   - completion: Called once the channel has the message, or has refused it; never within the call.
  func sendMessage(
    _ message: String, to userID: String, expiry: Duration,
    completion: @escaping @Sendable (Result<Void, SignalError>) -> Void)
  /// Adds a listener; the client does not retain it. A listener that is there already is not added again.
  func addListener(_ listener: any SignalListener)
  /// Removes a listener. A call of it that is under way ends later.
  func removeListener(_ listener: any SignalListener)
}
