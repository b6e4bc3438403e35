/// The calls of the application in the form that waits.
extension CallAPI {
  /// Sets the room and the times of the next calls, and waits until the room is connected ahead.
  public func prepareForCall(_ config: PrepareConfig) async throws(CallError) {
    try await wait { prepareForCall(config, completion: $0) }
  }

  /// Calls a user with audio, and waits until the signalling has the message.
  public func call(
    _ remoteUserID: UInt32, type: CallType = .audio, callExtension: String? = nil
  ) async throws(CallError) {
    try await wait { call(remoteUserID, type: type, callExtension: callExtension, completion: $0) }
  }

  /// Ends a call that rings at the other user, and waits until the signalling has the message.
  public func cancelCall() async throws(CallError) { try await wait { cancelCall(completion: $0) } }

  /// Accepts a call that rings here, and waits until the signalling has the message.
  public func accept(_ remoteUserID: UInt32) async throws(CallError) {
    try await wait { accept(remoteUserID, completion: $0) }
  }

  /// Rejects a call that rings here, and waits until the signalling has the message.
  public func reject(_ remoteUserID: UInt32, reason: String? = nil) async throws(CallError) {
    try await wait { reject(remoteUserID, reason: reason, completion: $0) }
  }

  /// Ends a call, and waits until the signalling has the message.
  public func hangup(_ remoteUserID: UInt32, reason: String? = nil) async throws(CallError) {
    try await wait { hangup(remoteUserID, reason: reason, completion: $0) }
  }

  /// Ends the calls, and waits until the other user has the message, at most 5 s.
  public func deinitialize() async {
    await withCheckedContinuation { continuation in deinitialize { continuation.resume() } }
  }

  private func wait(_ body: (@escaping Completion) -> Void) async throws(CallError) {
    let result = await withCheckedContinuation { continuation in body { continuation.resume(returning: $0) } }
    try result.get()
  }
}
