/// Event of the relay to other channels. The numbers are those of commercial voice SDKs, without those that are never
/// reported here.
public enum ChannelMediaRelayEvent: Int, Hashable, Sendable, CaseIterable {
  /// The connection to the relay is lost.
  case disconnected = 0
  /// The relay has the user and its other channels again.
  case connected = 1
  /// The relay has the user in its own channel.
  case joinedSourceChannel = 2
  /// The relay has the user in the other channels.
  case joinedDestinationChannel = 3
  /// The user's audio goes to the other channels.
  case sentToDestinationChannel = 4
  /// The list of other channels has changed.
  case updateDestinationChannel = 7
  /// The relay has refused another list; the former one stays.
  case updateDestinationChannelRefused = 8
  /// The list is the former one; nothing was requested.
  case updateDestinationChannelNotChange = 9
  /// The other channels get no audio for now.
  case pauseSendPacketToDestinationChannelSuccess = 12
  /// The pause was refused; the other channels still get the audio.
  case pauseSendPacketToDestinationChannelFailed = 13
  /// The other channels get the audio again.
  case resumeSendPacketToDestinationChannelSuccess = 14
  /// The end of a pause was refused.
  case resumeSendPacketToDestinationChannelFailed = 15
}
