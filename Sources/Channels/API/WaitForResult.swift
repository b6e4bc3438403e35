import Signalling

/// Waits for the closure of a call; an error of the call itself is thrown at once.
func waitForResult<Value: Sendable>(
  _ call: (@escaping @Sendable (Result<Value, ChannelError>) -> Void) throws(ChannelError) -> Void
) async throws(ChannelError) -> Value {
  let result = await withCheckedContinuation { (continuation: CheckedContinuation<_, Never>) in
    do throws(ChannelError) { try call { continuation.resume(returning: $0) } } catch {
      continuation.resume(returning: Result<Value, ChannelError>.failure(error))
    }
  }
  return try result.get()
}
