public import Effects
public import OpusCodec

/// How a user's audio comes into the pipeline and how the listener hears it.
public struct UserOptions: Sendable {
  /// The channel that the user is in; nil for the pipeline's own.
  public var channelID: String?
  /// Level of what the user sends, 0 to 400.
  public var recordVolume: Volume
  /// Channels of what the user sends, where its uplink runs here: the source's (nil), or 2 for a mono source whose
  /// music and effects are stereo.
  public var sentChannelCount: Int?
  /// What is done to the pitch of what the user sends; nil for nothing. Needs a source of 1 or 2 channels.
  public var voicePitch: VoicePitch?
  /// Whether speech alone is let through of what the user says: see `AudioPipeline.setVoiceOnlyMode`.
  public var isVoiceOnly: Bool
  /// Encoding, packets and decoding between sending and hearing; nil for none. Needs 48 kHz and 1 or 2 channels.
  public var codec: OpusOptions?
  /// Level at which the listener hears the user.
  public var gain: Decibels
  /// Where the listener hears the user.
  public var panning: Panning

  /// Options that change nothing.
  public init(
    channelID: String? = nil, recordVolume: Volume = .unchanged, voicePitch: VoicePitch? = nil,
    isVoiceOnly: Bool = false, codec: OpusOptions? = nil, gain: Decibels = Decibels(0), panning: Panning = .center
  ) {
    self.channelID = channelID
    self.recordVolume = recordVolume
    self.voicePitch = voicePitch
    self.isVoiceOnly = isVoiceOnly
    self.codec = codec
    self.gain = gain
    self.panning = panning
  }
}
