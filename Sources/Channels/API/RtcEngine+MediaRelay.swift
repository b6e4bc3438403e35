/// Relay of the local user's audio from the main channel to other ones, and from others by their connections.
extension RtcEngine {
  /// Lets the user of the main channel be heard in other channels, or changes their list.
  ///
  /// - Throws: As `RtcConnection.startOrUpdateChannelMediaRelay`.
  public func startOrUpdateChannelMediaRelay(
    _ configuration: ChannelMediaRelayConfiguration
  ) throws(ChannelError) {
    try relayingConnection().startOrUpdateChannelMediaRelay(configuration)
  }

  /// Lets the user of the main channel be heard in other channels, or changes their list, and waits for the answer.
  ///
  /// - Throws: As `RtcConnection.startOrUpdateChannelMediaRelay`.
  public func startOrUpdateChannelMediaRelay(
    _ configuration: ChannelMediaRelayConfiguration
  ) async throws(ChannelError) {
    try await relayingConnection().startOrUpdateChannelMediaRelay(configuration)
  }

  /// Ends the relay from the main channel to other ones.
  ///
  /// - Throws: As `RtcConnection.stopChannelMediaRelay`.
  public func stopChannelMediaRelay() throws(ChannelError) { try relayingConnection().stopChannelMediaRelay() }

  /// Lets the other channels get no audio of the main one for now.
  ///
  /// - Throws: As `RtcConnection.pauseAllChannelMediaRelay`.
  public func pauseAllChannelMediaRelay() throws(ChannelError) { try relayingConnection().pauseAllChannelMediaRelay() }

  /// Lets the other channels get the audio of the main one again.
  ///
  /// - Throws: As `RtcConnection.resumeAllChannelMediaRelay`.
  public func resumeAllChannelMediaRelay() throws(ChannelError) {
    try relayingConnection().resumeAllChannelMediaRelay()
  }

  /// Calls `RtcConnection.startOrUpdateChannelMediaRelay`.
  public func startOrUpdateChannelMediaRelayEx(
    _ configuration: ChannelMediaRelayConfiguration, connection: RtcConnection
  ) throws(ChannelError) {
    try connection.startOrUpdateChannelMediaRelay(configuration)
  }

  /// Calls `RtcConnection.stopChannelMediaRelay`.
  public func stopChannelMediaRelayEx(connection: RtcConnection) throws(ChannelError) {
    try connection.stopChannelMediaRelay()
  }

  /// Calls `RtcConnection.pauseAllChannelMediaRelay`.
  public func pauseAllChannelMediaRelayEx(connection: RtcConnection) throws(ChannelError) {
    try connection.pauseAllChannelMediaRelay()
  }

  /// Calls `RtcConnection.resumeAllChannelMediaRelay`.
  public func resumeAllChannelMediaRelayEx(connection: RtcConnection) throws(ChannelError) {
    try connection.resumeAllChannelMediaRelay()
  }

  private func relayingConnection() throws(ChannelError) -> RtcConnection {
    try checkNotDestroyed()
    guard let connection else {
      throw ChannelError(.wrongState, "no channel is joined; join one before its audio goes to other channels")
    }
    return connection
  }
}
