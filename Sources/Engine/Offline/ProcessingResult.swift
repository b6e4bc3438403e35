public import AudioGraph
public import FrameObservers

/// What a finished job has to say.
public struct ProcessingResult: Sendable {
  /// Format of the first input.
  public let inputFormat: AudioFormat
  /// Samples per channel read from the first input.
  public let inputSamplesPerChannel: Int
  /// Format of the output.
  public let outputFormat: AudioFormat
  /// Samples per channel written; 0 without an output.
  public let outputSamplesPerChannel: Int
  /// What observers saw at each position.
  public let positions: [PositionCount]
  /// Delay from the sources to MIXED, cut off in the output.
  public let latencyMilliseconds: Double
  /// Every sample on the way from the longest source to the output.
  public let ledger: Ledger
  /// How long ticks took.
  public let tickCost: CostMeter
  /// Samples that lay outside the output's range.
  public let clippedSamples: Int
  /// What to tell the user, a sentence each.
  public let warnings: [String]
  /// Levels of MIXED over time, where they were asked for.
  public let levels: [LevelInterval]
  /// The observers that were registered for the job.
  public let registrations: [ObserverRegistration]
  /// What went wrong with programs that only looked at frames. The output is as it would be without them.
  public let programFailures: [FrameProgramError]
  /// True where the job was cancelled before its end.
  public let isCancelled: Bool
}

/// What a read-only observer saw at one position.
public struct PositionCount: Sendable {
  /// Whose frames.
  public let source: FrameSource
  /// Frames, those that drain the delay among them.
  public let calls: Int
  /// Samples per channel that belong to the stream: those at positions 0 up to its end.
  public let samplesPerChannel: Int
}

/// The level of a stretch of MIXED.
public struct LevelInterval: Sendable {
  /// An interval louder than this, by its RMS, counts as active.
  public static let activityDBFS = -50.0

  /// When it begins, in seconds.
  public let timeSeconds: Double
  /// 0 to 255: linear in dB from -60 dBFS (0) to 0 dBFS (255), by the RMS.
  public let volume: Int
  /// Root mean square over all channels, in dB relative to full scale.
  public let rmsDBFS: Double
  /// Greatest magnitude, in dB relative to full scale.
  public let peakDBFS: Double
}
