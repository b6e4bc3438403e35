/// Cause of a user's silence for a listener, as the relay sees it.
public enum DiagnosisCause: String, Hashable, Sendable, CaseIterable {
  /// The listener receives packets: the cause is not at the relay.
  case packetsFlow
  /// The channel does not have such a user.
  case unknownUser
  /// The user does not publish.
  case notPublishing
  /// The user has muted its audio.
  case senderMuted
  /// The relay receives no packets of the user.
  case noPackets
  /// The listener does not subscribe to the user.
  case notSubscribed
  /// The listener has muted the user.
  case listenerMuted
  /// The listener's token does not grant `subscribe`.
  case noRight
  /// The relay sends packets, and the listener reports none.
  case notReceived
  /// The kernel drops datagrams at the relay, which comes too late for them.
  case relayDrops
  /// The channel is not joined. This cause and those below it are found by the listener's engine.
  case notJoined
  /// Nothing drives the listener's pipeline.
  case notRunning
  /// The playback volume, or that of the user, is 0.
  case noVolume
  /// No other user is in the channel.
  case nobody
  /// Another cause, which the sentence explains.
  case other

  /// Name in messages.
  public var name: String { rawValue }
}
