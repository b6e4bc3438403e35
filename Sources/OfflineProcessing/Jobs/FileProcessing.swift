public import AudioFiles
import AudioGraph
public import Effects
public import Engine
public import FrameObservers
public import OpusCodec
public import Playback

/// A job: sound files through the whole pipeline, offline.
///
///     input, speakers ▶ uplinks ▶ (RECORD) ▶ [codec] ▶ (BEFORE MIXING) ▶ mix ▶ (PLAYBACK) ▶ + local ▶ (MIXED) ▶ output
///
/// Describe it, then `prepare()` and run it. The same description gives the same samples, whatever the pace and the
/// size of the rings.
public struct FileProcessing: Sendable {
  /// Where sound comes from.
  public enum Input: Sendable {
    /// A file.
    case path(String)
    /// An open descriptor, such as the standard input; with `raw`, samples without a header.
    case descriptor(Int32, name: String, raw: RawFormat?)
  }

  /// Where sound goes.
  public enum Output: Sendable {
    /// Nowhere.
    case none
    /// A file, of the kind that its extension means or of `container`.
    case path(String, container: AudioContainer?)
    /// A WAV stream through an open descriptor, such as the standard output.
    case descriptor(Int32, name: String)
  }

  /// One more voice.
  public struct Speaker: Sendable {
    /// The file.
    public var path: String
    /// Level at which the listener hears it.
    public var gain: Decibels
    /// Where the listener hears it.
    public var panning: Panning
    /// When it begins, in seconds.
    public var startSeconds: Double

    /// A speaker from its parts.
    public init(path: String, gain: Decibels = Decibels(0), panning: Panning = .center, startSeconds: Double = 0) {
      self.path = path
      self.gain = gain
      self.panning = panning
      self.startSeconds = startSeconds
    }
  }

  /// Music that the first speaker sends along.
  public struct Music: Sendable {
    /// The file.
    public var path: String
    /// Its level, 0 to 100.
    public var volume: Volume
    /// How often it is played; forever is as long as there are voices.
    public var repetition: Repetition

    /// Music from its parts.
    public init(path: String, volume: Volume = .unchanged, repetition: Repetition = .once) {
      self.path = path
      self.volume = volume
      self.repetition = repetition
    }
  }

  /// A sound effect that the first speaker sends along.
  public struct Effect: Sendable {
    /// Its number.
    public var soundID: Int
    /// What is played, and how.
    public var sound: SoundEffect
    /// When it begins, in seconds.
    public var startSeconds: Double

    /// An effect from its parts.
    public init(soundID: Int, sound: SoundEffect, startSeconds: Double = 0) {
      self.soundID = soundID
      self.sound = sound
      self.startSeconds = startSeconds
    }
  }

  /// When noise is added before samples are rounded to 16 bits or fewer.
  public enum Dither: Sendable {
    /// From the first sample on that the output cannot hold exactly: what was not changed stays as it is.
    case automatic
    /// Always.
    case always
    /// Never.
    case never
  }

  /// The first voice, uid 1; nil where `speakers` have all of them.
  public var input: Input?
  /// Where the listener's MIXED goes.
  public var output: Output = .none
  /// More voices, uid 2 and up.
  public var speakers: [Speaker] = []
  /// The user of the first voice, whose formats the output takes.
  public var firstUID: UInt32 { input == nil ? 2 : 1 }
  /// When the first voice begins, in seconds.
  public var firstStartSeconds: Double { input == nil ? speakers.first?.startSeconds ?? 0 : 0 }
  /// The listener's own voice.
  public var localPath: String?
  /// Sample rate of the output in Hz; nil: the highest of the inputs.
  public var sampleRate: Int?
  /// Channels of the output; nil: the most of the inputs, 2 if anything is panned.
  public var channelCount: Int?
  /// How the output stores samples; nil: as the first input does.
  public var sampleFormat: SampleFormat?
  /// When noise is added before rounding.
  public var dither = Dither.automatic
  /// Seed of everything random.
  public var seed: UInt64 = 1
  /// Whether the output says about its sound what the first voice's file does, as title and artist.
  public var keepsTags = true
  /// Whether an existing output may be replaced.
  public var overwrite = false
  /// Level at which the listener hears the first voice.
  public var gain = Decibels(0)
  /// Where the listener hears the first voice.
  public var panning = Panning.center
  /// Level of what each voice sends.
  public var recordVolume = Volume.unchanged
  /// What is done to the pitch of the first voice; nil for nothing.
  public var voicePitch: VoicePitch?
  /// Whether speech alone is let through, of every voice.
  public var isVoiceOnly = false
  /// Level of all that the listener hears.
  public var playbackVolume = Volume.unchanged
  /// Music that the first voice sends along.
  public var music: Music?
  /// Sound effects that the first voice sends along.
  public var effects: [Effect] = []
  /// Encoding and decoding between sending and hearing.
  public var codec: OpusOptions?
  /// How fast it goes.
  public var pace = Pace.free
  /// 10 ms frames in the rings between the files' threads and the graph.
  public var ringCapacity = 256
  /// Interval of the level report in milliseconds, 10 or more; nil: none.
  public var levelInterval: Int?
  /// Milliseconds between two looks at who speaks most, which with two voices or more is told in events; nil: never.
  public var speakerInterval: Int?
  /// Whether the loudness of the output is measured, with a row for each `levelInterval` or 200 ms.
  public var measuresLoudness = false
  /// Observers to register before the first frame.
  public var observers: [ObserverRequest] = []
  /// Programs that look at frames or change them.
  public var programs: [FrameProgram] = []
  /// Told what happens in the pipeline, `ProcessingResult.events` one by one. Thread: the one that runs the job.
  public var onEvent: @Sendable (PipelineEvent) -> Void = { _ in }
  /// Told once of each program for which the job has waited for 5 s without anything that it did: a sentence without
  /// its end. Thread: any.
  public var onProgramWait: @Sendable (String) -> Void = { _ in }
  /// Asked while an input, a program or whoever reads the output keeps the job waiting, and at every tick: true ends
  /// the job, the output complete up to there. Thread: any.
  public var isCancelled: @Sendable () -> Bool = { false }

  /// A job that does nothing yet.
  public init() {}

  /// Opens the inputs and builds the pipeline; nothing is written.
  ///
  /// Throws: `AudioFileError` for a file, `EngineError` for the rest.
  public func prepare() throws -> PreparedProcessing { try PreparedProcessing(self) }
}
