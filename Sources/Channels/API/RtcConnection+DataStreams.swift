/// Data streams of one channel: short messages to all of its users, beside the sound.
extension RtcConnection {
  /// Creates a data stream. It lasts until the channel is left.
  ///
  /// | stream | a lost message | the order |
  /// |---|---|---|
  /// | reliable, ordered | is repeated for 2 s, and later ones wait for it | as sent |
  /// | reliable | is repeated for 2 s | as they come |
  /// | ordered | is missed | as sent; a message behind a later one is missed, too |
  /// | neither | is missed | as they come |
  ///
  /// Receivers are told of messages that are missed by `didOccurStreamMessageErrorFromUid`.
  ///
  /// - Parameters:
  ///   - reliable: Whether lost messages are repeated.
  ///   - ordered: Whether receivers get the messages in their order.
  /// - Returns: Number of the stream, from 1 on.
  /// - Throws: `.tooManyDataStreams` for the sixth of a channel, `.wrongState` without a channel.
  public func createDataStream(reliable: Bool, ordered: Bool) throws(ChannelError) -> Int {
    try withMembership { membership, _ throws(ChannelError) in
      try membership.createDataStream(isReliable: reliable, isOrdered: ordered)
    }
  }

  /// Sends a message to the users of the channel. During a loss of the connection messages wait, 60 at most.
  ///
  /// - Parameters:
  ///   - streamId: Number of the stream.
  ///   - data: 1 to 1,024 bytes.
  /// - Throws: `.wrongState` before the join; `.refused` for the audience, for a token without the right `data` and at
  ///   a relay without data streams; `.invalidArgument` for another stream or size; `.tooOften` beyond 30 messages
  ///   within a second.
  public func sendStreamMessage(_ streamId: Int, data: [UInt8]) throws(ChannelError) {
    try withMembership { membership, now throws(ChannelError) in
      try membership.send(data, onDataStream: streamId, nowNanoseconds: now)
    }
  }

  /// Makes a call of the membership, and returns its value or throws its error.
  func withMembership<Value>(
    _ body: (ChannelMembership, _ nowNanoseconds: Int) throws(ChannelError) -> Value
  ) throws(ChannelError) -> Value {
    let result = use { channel, now -> Result<Value, ChannelError>? in
      guard !channel.isLeft else { return nil }
      do throws(ChannelError) { return .success(try body(channel.membership, now)) } catch { return .failure(error) }
    }
    guard let result = result ?? nil else { throw notJoined }
    return try result.get()
  }
}
