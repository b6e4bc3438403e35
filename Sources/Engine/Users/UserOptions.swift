public import Effects
public import OpusCodec

/// How a user's audio comes into the pipeline and how the listener hears it.
public struct UserOptions: Sendable {
  /// Channel of the user; nil for the pipeline's own.
  public var channelID: String?
  /// Level of the sound that the user sends, 0 to 400.
  public var recordVolume: Volume
  /// Channels of the sound that the user sends, if its uplink runs here: the source's (nil), or 2 for a mono source
  /// with stereo music and effects.
  public var sentChannelCount: Int?
  /// Change of the pitch of the sent voice; nil for none. Needs a source of 1 or 2 channels.
  public var voicePitch: VoicePitch?
  /// Whether only speech of the user is let through: see `AudioPipeline.setVoiceOnlyMode`.
  public var isVoiceOnly: Bool
  /// Encoding, packets and decoding between sending and hearing; nil for none. Needs 48 kHz and 1 or 2 channels.
  public var codec: OpusOptions?
  /// Level at which the listener hears the user.
  public var gain: Decibels
  /// Position at which the listener hears the user.
  public var panning: Panning

  /// Creates options; the defaults change nothing.
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
