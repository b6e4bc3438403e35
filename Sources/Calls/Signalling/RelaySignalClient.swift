/// Carries the messages of calls over the relay: both users have a session there, and the relay names each sender.
///
/// Thread: any.
public final class RelaySignalClient: SignalClient {
  private let session: RtcSession
  private let listeners = SignalListeners()

  /// Creates a client.
  ///
  /// - Parameter session: Session of the local user, by uid. The program closes it.
  public init(_ session: RtcSession) {
    self.session = session
    session.observe { [weak self] event in self?.take(event) }
  }

  public func sendMessage(
    _ message: String, to userID: String, expiry: Duration,
    completion: @escaping @Sendable (Result<Void, SignalError>) -> Void
  ) {
    guard let uid = UInt32(userID) else {
      return session.post {
        completion(
          .failure(
            SignalError(
              .refused, code: ChannelErrorCode.invalidArgument.rawValue,
              "'\(userID)' is not a decimal uid; name a user by its uid")))
      }
    }
    // A relay keeps no message: the expiry is met.
    do throws(ChannelError) {
      try session.send(message, to: .uid(uid)) { result in completion(Self.outcome(result, uid)) }
    } catch {
      session.post { completion(.failure(SignalError(error))) }
    }
  }

  public func addListener(_ listener: any SignalListener) { listeners.add(listener) }

  public func removeListener(_ listener: any SignalListener) { listeners.remove(listener) }

  private func take(_ event: SessionEvent) {
    switch event {
    // Users of calls have uids: an account has no place in their messages.
    case .message(.uid(let sender), let body): listeners.receive(body, from: "\(sender)")
    case .interrupted: listeners.log("the connection to the relay is lost; trying again", .warning)
    case .opened: listeners.log("the session at the relay is open")
    case .tokenRequested:
      listeners.log("the token of the session has expired; renew it with RtcSession.renewToken", .error)
    case .closed(let error?): listeners.log("the session has ended: \(error)", .error)
    default: break
    }
  }

  private static func outcome(
    _ result: Result<MessageOutcome, ChannelError>, _ uid: UInt32
  ) -> Result<Void, SignalError> {
    switch result {
    case .success(.delivered): .success(())
    case .success(.noSuchUser):
      .failure(
        SignalError(
          .noSuchUser, code: ChannelErrorCode.user.rawValue, "user \(uid) is not online; call again later"))
    case .success(.unknown):
      .failure(
        SignalError(
          .unknown, code: ChannelErrorCode.general.rawValue, "the connection to the relay was lost; call again"))
    case .failure(let error): .failure(SignalError(error))
    }
  }
}

extension SignalError {
  /// Wraps an error of the session.
  fileprivate init(_ error: ChannelError) {
    let reason: Reason =
      switch (error.code, error.cause) {
      case (.notReady, _): .notConnected
      case (_, .limit?): .limited
      default: .refused
      }
    self.init(reason, code: error.code.rawValue, error.message)
  }
}
