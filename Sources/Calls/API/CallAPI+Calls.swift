/// The calls of the application. Each completion is called once; its error has a sentence to show. A call that does not
/// fit the state is event `.stateMismatch`, and an error of type `.normal`.
extension CallAPI {
  /// Completion of a call.
  public typealias Completion = @Sendable (Result<Void, CallError>) -> Void

  /// Sets the room and the times of the next calls, and connects the room ahead. Only in idle, prepared and failed. The
  /// whole former configuration is replaced.
  ///
  /// Success leads to prepared, an error to failed.
  public func prepareForCall(_ config: PrepareConfig, completion: Completion?) {
    pass(completion) { machine, number, _ in machine.prepare(config, completion: number) }
  }

  /// Calls a user: it rings there. Only in prepared.
  ///
  /// - Parameters:
  ///   - remoteUserID: The user, by uid.
  ///   - type: Media of the call; a video call is refused.
  ///   - callExtension: Text for the callee, at most 4 KiB: its `eventInfo["callExtension"]`.
  ///   - completion: Called once the signalling has the message, or has refused it.
  public func call(_ remoteUserID: UInt32, type: CallType, callExtension: String? = nil, completion: Completion?) {
    pass(completion) { machine, number, now in
      machine.call(remoteUserID, type, callExtension, completion: number, now)
    }
  }

  /// Refuses: the short form of commercial call interfaces means video. Use `call(_:type:callExtension:completion:)`
  /// with the type `.audio`.
  @available(*, deprecated, message: "calls are audio: use call(_:type:callExtension:completion:) with .audio")
  public func call(remoteUserId: UInt32, completion: Completion?) {
    call(remoteUserId, type: .video, completion: completion)
  }

  /// Ends a call that rings at the other user. Only at the caller, in calling.
  public func cancelCall(completion: Completion?) {
    pass(completion) { machine, number, now in machine.cancelCall(completion: number, now) }
  }

  /// Accepts a call that rings here. Only at the callee, in calling, with the caller's uid.
  public func accept(_ remoteUserID: UInt32, completion: Completion?) {
    pass(completion) { machine, number, now in machine.accept(remoteUserID, completion: number, now) }
  }

  /// Rejects a call that rings here. Only at the callee, in calling, with the caller's uid.
  ///
  /// - Parameters:
  ///   - remoteUserID: The caller.
  ///   - reason: Text for the caller, at most 256 bytes.
  ///   - completion: Called once the signalling has the message, or has refused it.
  public func reject(_ remoteUserID: UInt32, reason: String? = nil, completion: Completion?) {
    pass(completion) { machine, number, now in machine.reject(remoteUserID, reason, completion: number, now) }
  }

  /// Ends a call. Only in connecting and connected, with the other user's uid.
  ///
  /// - Parameters:
  ///   - remoteUserID: The other user.
  ///   - reason: Text for the other user, at most 256 bytes.
  ///   - completion: Called once the signalling has the message, or has refused it.
  public func hangup(_ remoteUserID: UInt32, reason: String? = nil, completion: Completion?) {
    pass(completion) { machine, number, now in machine.hangup(remoteUserID, reason, completion: number, now) }
  }

  private func pass(
    _ completion: Completion?, _ body: (inout CallMachine, _ completion: Int?, _ now: Int) -> Void
  ) {
    guard let session = current else {
      completion?(.failure(CallError(.wrongState, "the calls are not initialized; call initialize first")))
      return
    }
    session.call(completion, body)
  }
}
