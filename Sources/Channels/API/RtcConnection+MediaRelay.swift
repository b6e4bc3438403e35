import Signalling

/// Relay of the local user's audio to other channels: the user is heard there as if it had joined, and hears nothing
/// there.
extension RtcConnection {
  /// Lets the user be heard in other channels, or changes their list: a channel that it leaves out gets no more audio.
  /// The delegate gets the relay's answer. During a loss of the connection the request waits, and a list that was
  /// granted returns with the rejoin.
  ///
  /// - Throws: `.wrongState` before the join; `.refused` for the audience and a user that must not publish;
  ///   `.invalidArgument` for no channel, more than 6, a name that is not valid, a channel twice and the user's own.
  public func startOrUpdateChannelMediaRelay(
    _ configuration: ChannelMediaRelayConfiguration
  ) throws(ChannelError) {
    try startOrUpdateChannelMediaRelay(configuration, completion: nil)
  }

  /// Lets the user be heard in other channels, or changes their list, and calls a closure with the relay's answer. A
  /// refusal keeps the former list.
  ///
  /// - Throws: As the form without a closure.
  public func startOrUpdateChannelMediaRelay(
    _ configuration: ChannelMediaRelayConfiguration,
    completion: (@Sendable (Result<Void, ChannelError>) -> Void)?
  ) throws(ChannelError) {
    try request(.startOrUpdateChannelMediaRelay, completion) { membership, now throws(ChannelError) in
      try membership.relayMedia(to: configuration, nowNanoseconds: now)
    }
  }

  /// Lets the user be heard in other channels, or changes their list, and waits for the relay's answer.
  ///
  /// - Throws: As the form without a closure; the relay's refusal, or `.notReady` if the channel ends before.
  public func startOrUpdateChannelMediaRelay(
    _ configuration: ChannelMediaRelayConfiguration
  ) async throws(ChannelError) {
    try await waitForResult { completion throws(ChannelError) in
      try startOrUpdateChannelMediaRelay(configuration, completion: completion)
    }
  }

  /// Ends the relay to other channels. The delegate gets the relay's answer.
  ///
  /// - Throws: `.wrongState` before the join.
  public func stopChannelMediaRelay() throws(ChannelError) {
    try request(.stopChannelMediaRelay) { membership, now throws(ChannelError) in
      try membership.stopMediaRelay(nowNanoseconds: now)
    }
  }

  /// Lets the other channels get no audio for now. The delegate gets the relay's answer.
  ///
  /// - Throws: `.wrongState` before the join, and without a relay to other channels that runs.
  public func pauseAllChannelMediaRelay() throws(ChannelError) {
    try request(.pauseAllChannelMediaRelay) { membership, now throws(ChannelError) in
      try membership.pauseMediaRelay(true, nowNanoseconds: now)
    }
  }

  /// Lets the other channels get the audio again. The delegate gets the relay's answer.
  ///
  /// - Throws: As `pauseAllChannelMediaRelay`.
  public func resumeAllChannelMediaRelay() throws(ChannelError) {
    try request(.resumeAllChannelMediaRelay) { membership, now throws(ChannelError) in
      try membership.pauseMediaRelay(false, nowNanoseconds: now)
    }
  }

  private func request(
    _ call: ApiCall, _ completion: (@Sendable (Result<Void, ChannelError>) -> Void)? = nil,
    _ body: (ChannelMembership, _ nowNanoseconds: Int) throws(ChannelError) -> UInt32?
  ) throws(ChannelError) {
    try withMembership { membership, now throws(ChannelError) in
      expect(try body(membership, now), PendingCall(call, completion))
    }
  }
}
