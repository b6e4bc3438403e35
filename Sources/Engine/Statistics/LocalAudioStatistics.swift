/// What was measured of the sound that the local user sends; rates are those of the time since the report before.
public struct LocalAudioStatistics: Hashable, Sendable {
  /// Channels of what is sent.
  public let channelCount: Int
  /// Rate of what is sent, in Hz.
  public let sampleRate: Int
  /// What was sent, payloads alone, in kbit/s.
  public let sentKilobitsPerSecond: Double
  /// What makes payloads: `opus`, or `null`, which sends no sound.
  public let codec: String
  /// The share of our packets that did not arrive, 0...1; nil where nobody has told (`AudioPipeline.setLinkFeedback`).
  public let loss: Double?
  /// From the microphone to the pipeline; nil where no device is used, as with files, streams and in simulations.
  public let audioDeviceDelayMilliseconds: Double?
  /// From the pipeline to the loudspeaker; nil likewise.
  public let audioPlayoutDelayMilliseconds: Double?
}
