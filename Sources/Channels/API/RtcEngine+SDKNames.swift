public import Engine
public import Signalling

/// The names of commercial voice SDKs. Each does the same as the call behind it, and throws the same errors.
///
/// Source: the API documents of such SDKs; Documentation/Migration.md compares them name by name.
extension RtcEngine {
  /// Calls `join`. With a closure the delegate gets no `didJoinChannel`.
  public func joinChannel(
    byToken token: String?, channelId: String, uid: UInt32, mediaOptions: ChannelMediaOptions = ChannelMediaOptions(),
    joinSuccess: (@Sendable (_ channel: String, _ uid: UInt32, _ elapsed: Int) -> Void)? = nil
  ) throws(ChannelError) {
    try join(
      channel: channelId, token: token ?? "", user: .uid(uid), options: mediaOptions,
      completion: Self.completion(joinSuccess))
  }

  /// Calls `join` with an account.
  public func joinChannel(
    byToken token: String?, channelId: String, userAccount: String,
    mediaOptions: ChannelMediaOptions = ChannelMediaOptions(),
    joinSuccess: (@Sendable (_ channel: String, _ uid: UInt32, _ elapsed: Int) -> Void)? = nil
  ) throws(ChannelError) {
    try join(
      channel: channelId, token: token ?? "", user: .account(userAccount), options: mediaOptions,
      completion: Self.completion(joinSuccess))
  }

  /// Calls `leave`. With a closure the delegate gets no `didLeaveChannel`.
  public func leaveChannel(
    _ options: LeaveOptions = LeaveOptions(), leaveChannelBlock: (@Sendable (CallStatistics?) -> Void)? = nil
  ) {
    leave(options, completion: leaveChannelBlock)
  }

  /// Calls `joinEx`. With a closure the delegate gets no `didJoinChannel`.
  public func joinChannelEx(
    byToken token: String?, channelId: String, uid: UInt32, delegate: (any RtcEngineDelegate)?,
    mediaOptions: ChannelMediaOptions = ChannelMediaOptions(),
    joinSuccess: (@Sendable (_ channel: String, _ uid: UInt32, _ elapsed: Int) -> Void)? = nil
  ) throws(ChannelError) -> RtcConnection {
    try joinEx(
      channel: channelId, token: token ?? "", user: .uid(uid), options: mediaOptions, delegate: delegate,
      completion: Self.completion(joinSuccess))
  }

  /// Calls `joinEx` with an account.
  public func joinChannelEx(
    byToken token: String?, channelId: String, userAccount: String, delegate: (any RtcEngineDelegate)?,
    mediaOptions: ChannelMediaOptions = ChannelMediaOptions(),
    joinSuccess: (@Sendable (_ channel: String, _ uid: UInt32, _ elapsed: Int) -> Void)? = nil
  ) throws(ChannelError) -> RtcConnection {
    try joinEx(
      channel: channelId, token: token ?? "", user: .account(userAccount), options: mediaOptions, delegate: delegate,
      completion: Self.completion(joinSuccess))
  }

  /// Calls `RtcConnection.leave`. With a closure the delegate gets no `didLeaveChannel`.
  public func leaveChannelEx(
    _ connection: RtcConnection, options: LeaveOptions = LeaveOptions(),
    leaveChannelBlock: (@Sendable (CallStatistics?) -> Void)? = nil
  ) {
    connection.leave(options, completion: leaveChannelBlock)
  }

  /// Calls `preload`.
  public func preloadChannel(byToken token: String?, channelId: String, uid: UInt32) throws(ChannelError) {
    try preload(channel: channelId, token: token ?? "", user: .uid(uid), completion: nil)
  }

  /// Calls `preload` with an account.
  public func preloadChannel(byToken token: String?, channelId: String, userAccount: String) throws(ChannelError) {
    try preload(channel: channelId, token: token ?? "", user: .account(userAccount), completion: nil)
  }

  /// Calls `updateChannelOptions`.
  public func updateChannel(with mediaOptions: ChannelMediaOptions) throws(ChannelError) {
    try updateChannelOptions(mediaOptions)
  }

  /// Calls `RtcConnection.update`.
  public func updateChannelEx(
    with mediaOptions: ChannelMediaOptions, connection: RtcConnection
  ) throws(ChannelError) {
    try connection.update(mediaOptions)
  }

  /// Calls `muteLocalAudio`.
  public func muteLocalAudioStream(_ isMuted: Bool) { muteLocalAudio(isMuted) }

  /// Calls `muteRemote`.
  public func muteRemoteAudioStream(_ uid: UInt32, mute isMuted: Bool) { muteRemote(uid, isMuted) }

  /// Calls `muteAllRemote`.
  public func muteAllRemoteAudioStreams(_ isMuted: Bool) { muteAllRemote(isMuted) }

  /// Calls `startEchoTest`; the interval is in seconds.
  public func startEchoTest(withInterval interval: Int, token: String? = nil) throws(ChannelError) {
    try startEchoTest(interval: .seconds(interval), token: token ?? "")
  }

  /// State of the main channel, or of an echo test while it runs.
  public func getConnectionState() -> ConnectionState { (echoTestConnection ?? connection)?.state ?? .disconnected }

  private static func completion(
    _ joinSuccess: (@Sendable (String, UInt32, Int) -> Void)?
  ) -> (@Sendable (Result<JoinedChannel, ChannelError>) -> Void)? {
    guard let joinSuccess else { return nil }
    return { result in
      guard case .success(let joined) = result else { return }
      joinSuccess(joined.channel, joined.uid, joined.elapsedMilliseconds)
    }
  }
}
