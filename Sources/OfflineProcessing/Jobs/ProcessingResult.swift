public import AudioFiles
public import AudioGraph
public import Engine
public import FrameObservers
public import Metering

/// Results of a finished job.
public struct ProcessingResult: Sendable {
  /// Format of the first input.
  public let inputFormat: AudioFormat
  /// Samples per channel of the first input that came out at MIXED: all its samples, unless the job ended early.
  public let inputSamplesPerChannel: Int
  /// Chunks of the first voice's WAV file that the output does not have, such as `bext` and `cue`.
  public let droppedChunks: [String]
  /// Format of the output.
  public let outputFormat: AudioFormat
  /// Samples per channel written; 0 without an output.
  public let outputSamplesPerChannel: Int
  /// Counts of frames and samples at each position.
  public let positions: [PositionCount]
  /// Delay from the sources to MIXED, cut off in the output, in milliseconds.
  public let latencyMilliseconds: Double
  /// Counts of every sample from the voice that ends last to the output, at the rate of the pipeline.
  public let ledger: Ledger
  /// User of the voice that ends last.
  public let ledgerUID: UInt32
  /// Rate of the pipeline, in Hz: that of the codec, or the highest of all files.
  public let ledgerSampleRate: Int
  /// Counts of every sample on every span of every path: files that are read, repeated, converted and played, the
  /// graph, the output.
  public let edges: [LedgerEdge]
  /// Durations of the ticks.
  public let tickCost: DurationHistogram
  /// Number of samples outside the output's range.
  public let clippedSamples: Int
  /// Gain reductions of limiters; limiters without any are left out.
  public let limiters: [LimiterUse]
  /// Levels of MIXED over time; empty if not requested.
  public let levels: SpooledRows<LevelInterval>
  /// Loudness of MIXED over time and of the whole; nil if it was not measured.
  public let loudness: Loudness?
  /// Gain, loudness and true peak of the output; nil without a loudness target, or if the output's reader has gone.
  public let loudnessTarget: LoudnessTargetResult?
  /// Events of the job: the ends of sounds and files, with warnings about them, and, if requested, the active speakers.
  public let events: [PipelineEvent]
  /// Observers that were registered for the job.
  public let registrations: [ObserverRegistration]
  /// Failures of programs that only read frames. The output is as it would be without them.
  public let programFailures: [FrameProgramError]
  /// Failure of the output if the reader of its pipe has closed it before the end; nil otherwise.
  ///
  /// The job ended there, and all its other results are complete.
  public let outputFailure: AudioFileError?
  /// Whether the job was cancelled before its end.
  public let isCancelled: Bool
  /// File with the sound of a cancelled job, beside the old file that it would have replaced; nil if the output has its
  /// own name.
  public let remains: AudioFileError.Remains?
}
