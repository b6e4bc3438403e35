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
  /// Delay from the microphone to the pipeline, in milliseconds; nil if no device is used, as with files, streams and
  /// in simulations.
  public let audioDeviceDelayMilliseconds: Double?
  /// Delay from the pipeline to the loudspeaker, in milliseconds; nil if no device is used, as with files, streams and
  /// in simulations.
  public let audioPlayoutDelayMilliseconds: Double?
}
