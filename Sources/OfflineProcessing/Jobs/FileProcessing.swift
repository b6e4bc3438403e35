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
///
/// ```swift
/// var job = FileProcessing()
/// job.input = .path("talk.wav")
/// job.output = .path("quiet.wav", container: nil)
/// job.gain = Decibels(-6)
/// let result = try job.prepare().run()
/// print(result.outputSamplesPerChannel)
/// ```
///
/// ## Topics
/// ### Input
/// - ``input``
/// - ``speakers``
/// - ``firstUID``
/// - ``firstStartSeconds``
/// - ``localPath``
/// - ``music``
/// - ``effects``
/// ### Changes of the sound
/// - ``gain``
/// - ``panning``
/// - ``recordVolume``
/// - ``voicePitch``
/// - ``isVoiceOnly``
/// - ``codec``
/// - ``playbackVolume``
/// - ``loudnessTarget``
/// ### Output
/// - ``output``
/// - ``sampleRate``
/// - ``channelCount``
/// - ``sampleFormat``
/// - ``dither``
/// - ``seed``
/// - ``keepsTags``
/// - ``overwrite``
/// ### Measures
/// - ``levelInterval``
/// - ``speakerInterval``
/// - ``measuresLoudness``
/// ### Observers and handlers
/// - ``observers``
/// - ``programs``
/// - ``onEvent``
/// - ``onProgramWait``
/// - ``isCancelled``
/// ### Run
/// - ``pace``
/// - ``ringCapacity``
/// - ``prepare()``
public struct FileProcessing: Sendable {
  /// Source of sound.
  public enum Input: Sendable {
    /// A file.
    case path(String)
    /// An open descriptor, such as the standard input; with `raw`, samples without a header.
    case descriptor(Int32, name: String, raw: RawFormat?)
  }

  /// Destination of sound.
  public enum Output: Sendable {
    /// No output.
    case none
    /// A file of the kind that its extension or `container` gives.
    case path(String, container: AudioContainer?)
    /// A WAV stream through an open descriptor, such as the standard output.
    case descriptor(Int32, name: String)
  }

  /// A further voice.
  public struct Speaker: Sendable {
    /// Path of the file.
    public var path: String
    /// Level at which the listener hears it.
    public var gain: Decibels
    /// Position at which the listener hears it, between left and right.
    public var panning: Panning
    /// Start of the voice, in seconds.
    public var startSeconds: Double

    /// Creates a speaker from its parts.
    public init(path: String, gain: Decibels = Decibels(0), panning: Panning = .center, startSeconds: Double = 0) {
      self.path = path
      self.gain = gain
      self.panning = panning
      self.startSeconds = startSeconds
    }
  }

  /// Music that the first speaker sends along.
  public struct Music: Sendable {
    /// Path of the file.
    public var path: String
    /// Level of the music, 0 to 100.
    public var volume: Volume
    /// Number of times that the music is played; `forever` lasts as long as there are voices.
    public var repetition: Repetition

    /// Creates music from its parts.
    public init(path: String, volume: Volume = .unchanged, repetition: Repetition = .once) {
      self.path = path
      self.volume = volume
      self.repetition = repetition
    }
  }

  /// A sound effect that the first speaker sends along.
  public struct Effect: Sendable {
    /// Number of the effect.
    public var soundID: Int
    /// Sound of the effect, and its settings.
    public var sound: SoundEffect
    /// Start of the effect, in seconds.
    public var startSeconds: Double

    /// Creates an effect from its parts.
    public init(soundID: Int, sound: SoundEffect, startSeconds: Double = 0) {
      self.soundID = soundID
      self.sound = sound
      self.startSeconds = startSeconds
    }
  }

  /// Condition for adding noise before samples are rounded to 16 bits or fewer.
  public enum Dither: Sendable {
    /// Dithers from the first sample that the output cannot hold exactly; unchanged samples stay as they are.
    case automatic
    /// Dithers all samples.
    case always
    /// Dithers no sample.
    case never
  }

  // MARK: Input

  /// First voice, uid 1; nil if `speakers` contains all of them.
  public var input: Input?
  /// Further voices, uid 2 and up.
  public var speakers: [Speaker] = []
  /// User of the first voice; the output takes the formats of that voice.
  public var firstUID: UInt32 { input == nil ? 2 : 1 }
  /// Start of the first voice, in seconds.
  public var firstStartSeconds: Double { input == nil ? speakers.first?.startSeconds ?? 0 : 0 }
  /// Path of the listener's own voice; nil if there is none.
  public var localPath: String?
  /// Music that the first voice sends along.
  public var music: Music?
  /// Sound effects that the first voice sends along.
  public var effects: [Effect] = []

  // MARK: Changes of the sound

  /// Level at which the listener hears the first voice.
  public var gain = Decibels(0)
  /// Position at which the listener hears the first voice, between left and right.
  public var panning = Panning.center
  /// Level of each voice as it is sent.
  public var recordVolume = Volume.unchanged
  /// Change of the first voice's pitch; nil for none.
  public var voicePitch: VoicePitch?
  /// Whether only speech of every voice passes.
  public var isVoiceOnly = false
  /// Options of encoding and decoding between sending and hearing; nil for no codec.
  public var codec: OpusOptions?
  /// Level of all sound that the listener hears.
  public var playbackVolume = Volume.unchanged
  /// Loudness and true peak of the output, by a gain and a limiter behind MIXED; nil to leave the level as it is.
  ///
  /// The job itself runs once. Its sound is kept in a temporary file, in `TMPDIR` or else /tmp, until it has been
  /// measured; the output is written after that. Needs an output.
  public var loudnessTarget: LoudnessTarget?

  // MARK: Output

  /// Destination of the listener's MIXED.
  public var output: Output = .none
  /// Sample rate of the output in Hz; nil for the highest of the inputs.
  public var sampleRate: Int?
  /// Channels of the output; nil for the most of the inputs, 2 if anything is panned.
  public var channelCount: Int?
  /// Sample format of the output; nil for that of the first input.
  public var sampleFormat: SampleFormat?
  /// Condition for adding noise before rounding.
  public var dither = Dither.automatic
  /// Seed of all random numbers.
  public var seed: UInt64 = 1
  /// Whether the output takes the tags of the first voice's file, such as title and artist.
  public var keepsTags = true
  /// Whether an existing output may be replaced.
  public var overwrite = false

  // MARK: Measures

  /// Interval of the level report in milliseconds, 10 or more; nil for no report.
  public var levelInterval: Int?
  /// Interval of the search for the active speaker in milliseconds, with events if there are two voices or more; nil
  /// for none.
  public var speakerInterval: Int?
  /// Whether the loudness of the output is measured, with a row for each `levelInterval` or 200 ms.
  public var measuresLoudness = false

  // MARK: Observers and handlers

  /// Observers to register before the first frame.
  public var observers: [ObserverRequest] = []
  /// Programs that read frames or change them.
  public var programs: [FrameProgram] = []
  /// Called with the events of `ProcessingResult.events`, one by one. Thread: the one that runs the job.
  public var onEvent: @Sendable (PipelineEvent) -> Void = { _ in }
  /// Called once for each program for which the job has waited for 5 s without progress, with a sentence without its
  /// end. Thread: any.
  public var onProgramWait: @Sendable (String) -> Void = { _ in }
  /// Called at every tick, and while the job waits for an input, a program or the reader of the output. Thread: any.
  ///
  /// If it returns true, the job ends, and the output is complete up to that point.
  public var isCancelled: @Sendable () -> Bool = { false }

  // MARK: Run

  /// Pace of the job.
  public var pace = Pace.free
  /// Capacity, in frames of 10 ms, of the rings between the files' threads and the graph.
  public var ringCapacity = 256

  /// Creates an empty job.
  public init() {}

  /// Opens the inputs and builds the pipeline; nothing is written.
  ///
  /// - Returns: a job that is ready to run.
  /// - Throws: `AudioFileError` for a file, `EngineError` for the rest.
  public func prepare() throws -> PreparedProcessing { try PreparedProcessing(self) }
}
