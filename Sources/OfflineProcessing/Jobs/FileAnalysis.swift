public import AudioFiles
public import AudioGraph
public import Engine
public import FrameObservers
public import Metering

/// Looks at a sound file without changing it: its volume over time, its loudness, and whatever observers make of it.
///
///     file ▶ (BEFORE MIXING) ▶ meter
///
/// The file is a remote user of a pipeline at the file's own rate, measured with the meter of the volume indication
/// where nothing delays or changes it. What would follow, up to MIXED, is there only where somebody looks at it.
public struct FileAnalysis: Sendable {
  /// What is looked at.
  public var input: FileProcessing.Input
  /// Milliseconds of one row; a multiple of 10.
  public var interval = 200
  /// Whether loudness is measured too.
  public var measuresLoudness = false
  /// Observers of the file, at BEFORE MIXING. They see some frames of silence behind its end too.
  public var observers: [ObserverRequest] = []
  /// Told the pipeline before it runs: for observers that ask it where the file ends. Where nobody asks for PLAYBACK or
  /// MIXED by then, those have no frames.
  public var setUp: @Sendable (AudioPipeline) throws -> Void = { _ in }
  /// Whether the level over time is kept.
  public var keepsLevels = true
  /// Asked at every tick, and while the input keeps the analysis waiting: true ends it, with what has come so far.
  /// Thread: any.
  public var isCancelled: @Sendable () -> Bool = { false }

  /// An analysis with rows of 200 ms.
  public init(_ input: FileProcessing.Input) { self.input = input }

  /// Runs through the file. Thread: the caller's.
  ///
  /// - Parameter progress: told every 200 ms of audio how many seconds are done, and how many there are where known.
  /// - Throws: `AudioFileError` for the file, `EngineError` for the rest.
  public func run(progress: (Double, Double?) -> Void = { _, _ in }) throws -> FileAnalysisResult {
    guard interval >= 10, interval % 10 == 0 else {
      throw EngineError(.invalidArgument, "frames are 10 ms; an interval of \(interval) ms is no multiple of that")
    }
    let reader = try input.open(isCancelled: isCancelled)
    let format = reader.format
    let total = reader.samplesPerChannel.map { Double($0) / Double(format.sampleRate) }
    let pipeline = try AudioPipeline(
      PipelineOptions(mode: .offline, sampleRate: format.sampleRate, channelCount: format.channelCount))
    let source = try FileSource(reader, sampleRate: format.sampleRate, uid: 1, capacity: 256, ready: pipeline.bell)
    defer { source.close() }
    try pipeline.addRemoteUser(1, from: source)
    let meter = try pipeline.addMeter(beforeMixing: 1)
    let loudness =
      measuresLoudness
      ? LoudnessTrack(at: .beforeMixing, intervalMilliseconds: interval, speakers: reader.speakers) : nil
    let end = pipeline.knownEnd
    if let loudness { _ = try pipeline.observe(loudness.request(endPosition: { end.position })) }
    for request in observers { _ = try pipeline.observe(request) }
    try setUp(pipeline)
    try pipeline.leaveOutListener()
    var track = MeterTrack(
      schedule: pipeline.schedule, framesPerInterval: interval / 10, keepsIntervals: keepsLevels)
    var isStopped = false
    func collect() {
      while track.nextTick < pipeline.tickCount {
        track.add(meter.level(atTick: track.nextTick), end: pipeline.endPosition)
        if track.nextTick % 20 == 0 { progress(Double(track.nextTick) / 100, total) }
      }
    }
    try pipeline.runToEnd {
      if pipeline.tickCount - track.nextTick >= 20 { collect() }
      isStopped = isCancelled()
      return isStopped
    }
    collect()
    // The reader is its thread's until then.
    source.close()
    if let error = source.error, error.reason != .cancelled { throw error }
    try track.finish()
    return FileAnalysisResult(
      format: format, samplesPerChannel: min(reader.position, pipeline.renderedSampleCount), levels: track.intervals,
      total: LevelInterval(timeSeconds: 0, level: track.total, isVoice: track.hasVoice),
      clippedSamples: track.total.clippedCount, loudness: try loudness?.finish(sampleRate: format.sampleRate),
      warnings: reader.warnings, isCancelled: isStopped)
  }
}

/// What an analysis has found.
public struct FileAnalysisResult: Sendable {
  /// Format of the file.
  public let format: AudioFormat
  /// Samples per channel that were looked at: all that it has, but where the analysis was cancelled.
  public let samplesPerChannel: Int
  /// The level over time.
  public let levels: SpooledRows<LevelInterval>
  /// The level of the whole file: RMS over all of it, and its peak.
  public let total: LevelInterval
  /// Samples of all channels at either end of the range of 16 bits, or beyond.
  public let clippedSamples: Int
  /// The loudness over time and of the whole; nil where it was not measured.
  public let loudness: Loudness?
  /// What to tell the user.
  public let warnings: [AudioFileWarning]
  /// True where it was cancelled before its end.
  public let isCancelled: Bool
}
