import FrameObservers
public import Metering

/// What was measured of one remote user's sound; rates are those of the time since the report before.
public struct RemoteAudioStatistics: Hashable, Sendable {
  /// The user.
  public let speaker: SpeakerID
  /// How good its sound comes here, by what is lost after repair, the round trip and jitter; `unknown` without a
  /// stream.
  public let quality: NetworkQuality
  /// Half the time to the user and back; nil where nobody has measured that (`AudioPipeline.setLinkFeedback`).
  public let networkTransportDelayMilliseconds: Double?
  /// How long its sound waited in the jitter buffer, on the average; 0 where none came.
  public let jitterBufferDelayMilliseconds: Double
  /// The share of its packets that were neither played nor rebuilt, 0...1: lost for good, or too late. Nil where none
  /// was due.
  public let loss: Double?
  /// Channels of what is played.
  public let channelCount: Int
  /// Rate of what is played, in Hz.
  public let sampleRate: Int
  /// What came, payloads alone, in kbit/s.
  public let receivedKilobitsPerSecond: Double
  /// How long it was `frozen` since it is here.
  public let totalFrozenMilliseconds: Int
  /// The same as a share of the time in which it was published, 0...1.
  public let frozenShare: Double
  /// Time in which the user had not muted its stream since it is here.
  public let totalActiveMilliseconds: Int
  /// Those of them in which there was a stream.
  public let publishMilliseconds: Int
  /// `MOSEstimate` times 100, 0 to 500, of what was made up and the delay that is known: half the round trip and the
  /// buffer. 0 where sound did not come all the time because it was muted.
  public let mos: Int
}
