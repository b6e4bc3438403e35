import FrameObservers
public import MediaStreams
public import Metering

/// Statistics of one remote user's sound; rates are those of the time since the previous report.
public struct RemoteAudioStatistics: Hashable, Sendable {
  /// The user.
  public let speaker: SpeakerID
  /// Quality of the sound as it arrives here, by the loss after repair, the round trip and jitter; `unknown` without a
  /// stream.
  public let quality: NetworkQuality
  /// Half the round trip to the user, in milliseconds; nil if nobody has measured that
  /// (`AudioPipeline.setLinkFeedback`).
  public let networkTransportDelayMilliseconds: Double?
  /// Average time that the sound waited in the jitter buffer, in milliseconds; 0 if none came.
  public let jitterBufferDelayMilliseconds: Double
  /// Share of the user's packets that were neither played nor recovered, 0...1: lost for good, or too late. nil if none
  /// was due.
  public let loss: Double?
  /// Channels of the played sound.
  public let channelCount: Int
  /// Rate of the played sound, in Hz.
  public let sampleRate: Int
  /// Bitrate of the received payloads, in kbit/s.
  public let receivedKilobitsPerSecond: Double
  /// Time for which the sound was `frozen` since the user came, in milliseconds.
  public let totalFrozenMilliseconds: Int
  /// Time for which the sound was `frozen`, as a share of the time in which it was published, 0...1.
  public let frozenShare: Double
  /// Time since the user came in which it had not muted its stream, in milliseconds.
  public let totalActiveMilliseconds: Int
  /// Part of the active time in which there was a stream, in milliseconds.
  public let publishMilliseconds: Int
  /// `MOSEstimate` times 100, 0 to 500, of the concealed sound and the known delay: half the round trip + the buffer. 0
  /// if sound did not come all the time because it was muted.
  public let mos: Int
}
