import FrameObservers
public import Metering
public import Playback

/// Something that happened in a pipeline, for `AudioPipeline.onEvent`.
public struct PipelineEvent: Hashable, Sendable {
  /// What can happen. More kinds will come: give a `switch` a `default`.
  public enum Kind: Hashable, Sendable {
    /// Volumes of the local user or of remote ones.
    case volumes(VolumeReport)
    /// The remote user that was the loudest most often has become another one.
    case activeSpeaker(SpeakerID)
    /// The pitch of the local voice; 0 Hz where there is none.
    case localVoicePitch(hertz: Double)
    /// An effect has been played to the end of its last loop.
    case effectFinished(Int)
    /// An effect has ended before that, as its file breaks off; a `warning` before it says why.
    case effectInterrupted(Int)
    /// What the music of `startAudioMixing` does, and why.
    case music(MusicState, MusicReason)
    /// The music has been played to the end of its last cycle.
    case musicFinished
    /// A remote user begins to mix music into what it sends.
    case remoteMusicStarted(SpeakerID)
    /// A remote user's music has ended.
    case remoteMusicFinished(SpeakerID)
    /// A file of `startAudioRecording` could not be made or written on: why, and what to do. What a WAV file has is
    /// valid.
    case recordingFailed(path: String, reason: String)
    /// The sound of a remote user does something else than before.
    case remoteAudioState(RemoteAudioChange)
    /// What is heard of a remote user comes from another synchronisation source than before: its sender has begun anew,
    /// or somebody else has taken its place.
    case remoteSourceChanged(SpeakerID, ssrc: UInt32)
    /// A remote user has muted its stream, or sends it again.
    case remoteMuted(SpeakerID, Bool)
    /// What was measured of a remote user's sound, every 2 s.
    case remoteAudioStatistics(RemoteAudioStatistics)
    /// What was measured of the sound that the local user sends, every 2 s.
    case localAudioStatistics(LocalAudioStatistics)
    /// What was measured of the call as a whole, every 2 s.
    case callStatistics(CallStatistics)
    /// How good the ways to and from a user are, every 2 s; uid 0 is the local one.
    case networkQuality(NetworkQualityReport)
    /// Something went wrong and the pipeline goes on.
    case warning(PipelineWarning)

    /// Whether it is one of those that are told every 2 s, whatever happens.
    public var isStatistics: Bool {
      switch self {
      case .remoteAudioStatistics, .localAudioStatistics, .callStatistics, .networkQuality: true
      default: false
      }
    }
  }

  /// What happened.
  public let kind: Kind
  /// Ticks rendered when it happened: the pipeline's own time, whatever the clock.
  public let tickCount: Int
  /// The sample of the pipeline's time at which it happened; nil where only the tick is known.
  public let samplePosition: Int?

  /// The same as a time since the first tick; to the sample where that is known.
  public let time: Duration

  /// An event from its parts.
  public init(_ kind: Kind, tickCount: Int, samplePosition: Int? = nil, sampleRate: Int = 1) {
    self.kind = kind
    self.tickCount = tickCount
    self.samplePosition = samplePosition
    time =
      samplePosition.map { .nanoseconds($0 * 1_000_000_000 / sampleRate) } ?? .milliseconds(10 * tickCount)
  }
}

extension PipelineEvent.Kind {
  var logLevel: LogLevel {
    switch self {
    case .recordingFailed: .error
    case .warning: .warn
    case .volumes, .localVoicePitch: .debug
    case .remoteAudioStatistics, .localAudioStatistics, .callStatistics, .networkQuality: .debug
    default: .info
    }
  }
}
