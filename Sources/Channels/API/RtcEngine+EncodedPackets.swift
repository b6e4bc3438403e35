public import EncodedAudio

/// Packets of channels without decoding.
extension RtcEngine {
  /// Joins a channel as a further user, with Opus packets as they are, beside the engine's sound.
  ///
  /// The user has the engine's relay, app and rule for certificates. It is not a part of the pipeline, and stays in its
  /// channel until it leaves by itself.
  ///
  /// - Parameters:
  ///   - channel: Name of the channel, 1 to 64 bytes.
  ///   - token: Token of the app's server; empty at a relay that allows the app id alone.
  ///   - options: Options of the user; their rule for certificates is not used.
  ///   - loop: Thread of the channel; nil for another one.
  ///   - onEvent: Called with each event, on the thread of the loop.
  ///   - onPacket: Called with each packet of a remote user, on the thread of the loop; nil: not called.
  /// - Returns: The channel; it is not joined yet.
  /// - Throws: `.channelName`; `.notReady` if the system gives no thread or socket, and behind `destroy`.
  public func joinEncoded(
    channel: String, token: String, options: EncodedChannelOptions = EncodedChannelOptions(),
    loop: EncodedChannelLoop? = nil, onEvent: @escaping @Sendable (ChannelEvent) -> Void = { _ in },
    onPacket: (@Sendable (EncodedPacket, _ uid: UInt32) -> Void)? = nil
  ) throws(ChannelError) -> EncodedChannel {
    try checkNotDestroyed()
    var options = options
    options.verification = self.options.verification
    return try EncodedChannel(
      relay: relay, appID: appID.text, channel: channel, token: token, options: options, loop: loop, onEvent: onEvent,
      onPacket: onPacket)
  }
}
