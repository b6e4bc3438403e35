/// Statistics of the sound that the local user sends; rates are those of the time since the previous report.
public struct LocalAudioStatistics: Hashable, Sendable {
  /// Channels of the sent sound.
  public let channelCount: Int
  /// Rate of the sent sound, in Hz.
  public let sampleRate: Int
  /// Bitrate of the sent payloads, in kbit/s.
  public let sentKilobitsPerSecond: Double
  /// Codec of the payloads: `opus`, or `null`, which sends no sound.
  public let codec: String
  /// Share of our packets that did not arrive, 0...1; nil if nobody has reported it (`AudioPipeline.setLinkFeedback`).
  public let loss: Double?
  /// Delay from the local user's microphone to the pipeline, in milliseconds; nil while no device captures.
  public let audioDeviceDelayMilliseconds: Double?
  /// Delay from the pipeline to the first loudspeaker, in milliseconds; nil while no device plays.
  public let audioPlayoutDelayMilliseconds: Double?
}
