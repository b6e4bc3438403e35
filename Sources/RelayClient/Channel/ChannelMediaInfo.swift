/// Another channel that gets the local user's audio.
///
/// Its description has no token.
public struct ChannelMediaInfo: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// Name of the channel.
  public var channel: String
  /// Token for the channel, with the right to publish; nil at a relay that allows the app id alone.
  public var token: String?
  /// Uid in the channel; 0 for that of the token, or for one that the relay chooses.
  public var uid: UInt32

  /// Creates a channel from its parts.
  public init(channel: String, token: String? = nil, uid: UInt32 = 0) {
    self.channel = channel
    self.token = token
    self.uid = uid
  }

  public var description: String { uid == 0 ? channel : "\(channel) as \(uid)" }

  public var customMirror: Mirror { Mirror(self, children: ["channel": channel, "uid": uid]) }
}
