import Calls
import MQTTSignalling

/// A client with its log.
struct User {
  let client: MQTTSignalClient
  let log = SignalLog()

  init(_ options: MQTTSignalOptions) throws {
    client = MQTTSignalClient(options)
    client.addListener(log)
    try client.start()
  }

  /// Makes a client and waits until it is open.
  static func opened(_ options: MQTTSignalOptions) async throws -> User {
    let user = try User(options)
    try await user.client.open(timeout: .seconds(20))
    return user
  }

  func send(_ text: String, to userID: String, expiry: Duration = .seconds(30)) {
    client.sendMessage(text, to: userID, expiry: expiry, completion: log.completion)
  }

  /// Error of `open`; nil for success.
  func openingError(timeout: Duration = .seconds(20)) async -> SignalError? {
    do throws(SignalError) {
      try await client.open(timeout: timeout)
      return nil
    } catch { return error }
  }
}
