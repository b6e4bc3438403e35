public import AudioFiles
public import AudioGraph
public import Engine
public import FrameObservers
public import Metering

/// What a finished job has to say.
public struct ProcessingResult: Sendable {
  /// Format of the first input.
  public let inputFormat: AudioFormat
  /// Samples per channel of the first input that came out at MIXED: all that it has, but where the job ended early.
  public let inputSamplesPerChannel: Int
  /// Chunks of the first voice's WAV file that the output does not have, such as `bext` and `cue`.
  public let droppedChunks: [String]
  /// Format of the output.
  public let outputFormat: AudioFormat
  /// Samples per channel written; 0 without an output.
  public let outputSamplesPerChannel: Int
  /// What observers saw at each position.
  public let positions: [PositionCount]
  /// Delay from the sources to MIXED, cut off in the output.
  public let latencyMilliseconds: Double
  /// Every sample on the way from the voice that ends last to the output, at the rate at which the pipeline ran.
  public let ledger: Ledger
  /// The voice that ends last.
  public let ledgerUID: UInt32
  /// The rate at which the pipeline ran, in Hz: that of the codec, or the highest of all files.
  public let ledgerSampleRate: Int
  /// Every sample on every stretch of every way: files that are read, repeated, converted and played, the graph, the
  /// output.
  public let edges: [LedgerEdge]
  /// How long ticks took.
  public let tickCost: DurationHistogram
  /// Samples that lay outside the output's range.
  public let clippedSamples: Int
  /// What limiters have turned down; those that never had to are left out.
  public let limiters: [LimiterUse]
  /// Levels of MIXED over time, where they were asked for.
  public let levels: SpooledRows<LevelInterval>
  /// The loudness of MIXED over time and of the whole; nil where it was not measured.
  public let loudness: Loudness?
  /// What happened: what became of sounds and files, warnings of both among them, and where it was asked for, who spoke
  /// most.
  public let events: [PipelineEvent]
  /// The observers that were registered for the job.
  public let registrations: [ObserverRegistration]
  /// What went wrong with programs that only looked at frames. The output is as it would be without them.
  public let programFailures: [FrameProgramError]
  /// That whoever was reading the output, a pipe, has gone before its end; the job ended there, and all else that it
  /// has made is whole.
  public let outputFailure: AudioFileError?
  /// True where the job was cancelled before its end.
  public let isCancelled: Bool
}
