/// State of the relay of the local user's audio to other channels. The numbers are those of commercial voice SDKs.
public enum ChannelMediaRelayState: Int, Hashable, Sendable, CaseIterable {
  /// No other channel gets the audio.
  case idle = 0
  /// The relay has not answered yet.
  case connecting = 1
  /// Other channels get the audio, unless it is paused.
  case running = 2
  /// The relay to other channels has ended, or could not start; the error names the reason.
  case failure = 3
}
