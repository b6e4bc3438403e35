public import Devices
import FrameObservers
public import Metering
public import Playback
public import Recordings

/// Something that happened in a pipeline, for `AudioPipeline.onEvent`.
public struct PipelineEvent: Hashable, Sendable {
  /// Kinds of events. More kinds will come: give a `switch` a `default`.
  public enum Kind: Hashable, Sendable {
    /// Volumes of the local user or of remote ones.
    case volumes(VolumeReport)
    /// Another remote user has become the one that was loudest most often.
    case activeSpeaker(SpeakerID)
    /// A remote user begins to speak.
    case speechBegan(SpeakerID)
    /// A remote user has ended to speak.
    case speechEnded(SpeakerID)
    /// The pitch of the local voice; 0 Hz if there is none.
    case localVoicePitch(hertz: Double)
    /// An effect has been played to the end of its last loop.
    case effectFinished(Int)
    /// An effect has ended before the end of its last loop, because its file breaks off; a `warning` before it gives
    /// the reason.
    case effectInterrupted(Int)
    /// State of the music of `startAudioMixing`, and the reason for it.
    case music(MusicState, MusicReason)
    /// The music has been played to the end of its last cycle.
    case musicFinished
    /// A remote user begins to mix music into the sound that it sends.
    case remoteMusicStarted(SpeakerID)
    /// A remote user's music has ended.
    case remoteMusicFinished(SpeakerID)
    /// A file of a recording has its first sample, and its time: files of several pipelines line up by it.
    case recordingStarted(RecordingStart)
    /// A file of `startAudioRecording` could not be created or written: the reason, and an action for it. The existing
    /// part of a WAV file is valid.
    case recordingFailed(path: String, reason: String)
    /// The state of a remote user's sound has changed.
    case remoteAudioState(RemoteAudioChange)
    /// The sound of a remote user comes from another synchronization source than before. Its sender has restarted, or
    /// another sender has taken its place.
    case remoteSourceChanged(SpeakerID, ssrc: UInt32)
    /// A remote user has muted its stream, or sends it again.
    case remoteMuted(SpeakerID, Bool)
    /// Statistics of a remote user's sound, every 2 s.
    case remoteAudioStatistics(RemoteAudioStatistics)
    /// Statistics of the sound that the local user sends, every 2 s.
    case localAudioStatistics(LocalAudioStatistics)
    /// Statistics of the call as a whole, every 2 s.
    case callStatistics(CallStatistics)
    /// Quality of the paths to and from a user, every 2 s; uid 0 is the local user.
    case networkQuality(NetworkQualityReport)
    /// The local user's sound from a device has begun, ended or failed, and the reason.
    case localAudioState(LocalAudioState, LocalAudioError)
    /// Another kind of device plays than before.
    case audioRoute(AudioRoute)
    /// A device of the local source or of a sink has come or gone.
    case deviceState(DeviceStateChange)
    /// Something went wrong and the pipeline continues.
    case warning(PipelineWarning)

    /// Whether the kind is one that is reported every 2 s in any case.
    public var isStatistics: Bool {
      switch self {
      case .remoteAudioStatistics, .localAudioStatistics, .callStatistics, .networkQuality: true
      default: false
      }
    }
  }

  /// Kind of the event.
  public let kind: Kind
  /// Ticks rendered when the event happened: the pipeline's own time, independent of the clock.
  public let tickCount: Int
  /// Sample of the pipeline's time at which the event happened; nil if only the tick is known.
  public let samplePosition: Int?

  /// Time of the event since the first tick; exact to the sample if that is known.
  public let time: Duration

  /// Creates an event.
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
    case .localAudioState(.failed, _): .warn
    case .warning: .warn
    case .volumes, .localVoicePitch: .debug
    case .remoteAudioStatistics, .localAudioStatistics, .callStatistics, .networkQuality: .debug
    default: .info
    }
  }
}
