/// Data streams of the main channel, and of others by their connections.
extension RtcEngine {
  /// Creates a data stream of the main channel.
  ///
  /// - Throws: As `RtcConnection.createDataStream`.
  public func createDataStream(reliable: Bool, ordered: Bool) throws(ChannelError) -> Int {
    try mainConnection().createDataStream(reliable: reliable, ordered: ordered)
  }

  /// Sends a message to the users of the main channel.
  ///
  /// - Throws: As `RtcConnection.sendStreamMessage`.
  public func sendStreamMessage(_ streamId: Int, data: [UInt8]) throws(ChannelError) {
    try mainConnection().sendStreamMessage(streamId, data: data)
  }

  /// Calls `RtcConnection.createDataStream`.
  public func createDataStreamEx(
    reliable: Bool, ordered: Bool, connection: RtcConnection
  ) throws(ChannelError) -> Int {
    try connection.createDataStream(reliable: reliable, ordered: ordered)
  }

  /// Calls `RtcConnection.sendStreamMessage`.
  public func sendStreamMessageEx(
    _ streamId: Int, data: [UInt8], connection: RtcConnection
  ) throws(ChannelError) {
    try connection.sendStreamMessage(streamId, data: data)
  }

  private func mainConnection() throws(ChannelError) -> RtcConnection {
    try checkNotDestroyed()
    guard let connection else {
      throw ChannelError(.wrongState, "no channel is joined; join one before the first data stream")
    }
    return connection
  }
}
