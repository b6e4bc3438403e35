public import AudioFiles
public import AudioGraph
public import Engine
public import FrameObservers
public import Metering
public import Platform

/// Analyzes a sound file without changing it: its volume over time, its speech, loudness and pitch, and the results of
/// observers.
///
///     file ▶ (BEFORE MIXING) ▶ meter
///
/// ```swift
/// var analysis = FileAnalysis(.path("talk.wav"))
/// analysis.measuresLoudness = true
/// analysis.measuresPitch = true  // import AudioPipeWithPitch
/// analysis.speechSegmentation = SpeechSegmentation()
/// let result = try analysis.run()
/// print(result.total.rmsDBFS, result.loudness?.integrated ?? -70, result.pitch?.medianHertz ?? 0)
/// for segment in result.speechSegments! { print(segment.startSeconds, segment.endSeconds) }
/// ```
///
/// The file is a remote user of a pipeline at the file's own rate. The meter of the volume indication measures it at a
/// position without delay or change. The later stages, up to MIXED, exist only if an observer needs them.
public struct FileAnalysis: Sendable {
  /// Source of the sound.
  public var input: FileProcessing.Input
  /// Milliseconds of one row; a multiple of 10.
  public var interval = 200
  /// Whether loudness is measured, too.
  public var measuresLoudness = false
  /// Makes the tracker of the pitch; nil if the pitch is not measured. `measuresPitch` of `AudioPipeWithPitch` sets it.
  public var pitchTracker: PitchTrack.MakeTracker?
  /// Whether the pitch over time is kept.
  public var keepsPitch = true
  /// Called with each row of the pitch, in order. Thread: one of the analysis, then that of `run`.
  public var onPitch: (@Sendable (PitchRow) -> Void)?
  /// Settings for the segments of speech; nil if they are not wanted.
  public var speechSegmentation: SpeechSegmentation?
  /// Observers of the file, at BEFORE MIXING. They receive some frames of silence behind its end, too.
  public var observers: [ObserverRequest] = []
  /// Called with the pipeline before it runs, for observers that ask it for the end of the file.
  ///
  /// Without a request for PLAYBACK or MIXED by then, those positions have no frames.
  public var setUp: @Sendable (AudioPipeline) throws -> Void = { _ in }
  /// Whether the level over time is kept.
  public var keepsLevels = true
  /// Called at every tick, and while the analysis waits for input; true ends it, with the results so far. Thread: any.
  public var isCancelled: @Sendable () -> Bool = { false }

  /// Creates an analysis with rows of 200 ms.
  public init(_ input: FileProcessing.Input) { self.input = input }

  /// Runs through the file. Thread: the caller's.
  ///
  /// - Parameter progress: called every 200 ms of audio with the seconds done, and the seconds in total if known.
  /// - Returns: results of the analysis.
  /// - Throws: `AudioFileError` for the file, `EngineError` for the rest.
  public func run(progress: (Double, Double?) -> Void = { _, _ in }) throws -> FileAnalysisResult {
    guard interval >= 10, interval % 10 == 0 else {
      throw EngineError(.invalidArgument, "frames are 10 ms; an interval of \(interval) ms is not a multiple of that")
    }
    try speechSegmentation?.check()
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
    let pitch = pitchTracker.map { PitchTrack(keepsRows: keepsPitch, onRow: onPitch, tracker: $0) }
    if let pitch { _ = try pipeline.observe(pitch.request(endPosition: { end.position })) }
    for request in observers { _ = try pipeline.observe(request) }
    try setUp(pipeline)
    try pipeline.leaveOutListener()
    var track = MeterTrack(
      schedule: pipeline.schedule, framesPerInterval: interval / 10, keepsIntervals: keepsLevels,
      segments: speechSegmentation.map { SegmentCollector($0, sampleRate: format.sampleRate) })
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
    // Until then the reader belongs to its thread.
    source.close()
    if let error = source.error, error.reason != .cancelled { throw error }
    try track.finish()
    let samplesPerChannel = min(reader.position, pipeline.renderedSampleCount)
    return FileAnalysisResult(
      format: format, samplesPerChannel: samplesPerChannel, levels: track.intervals,
      total: LevelInterval(timeSeconds: 0, level: track.total, isVoice: track.hasVoice),
      clippedSamples: track.total.clippedCount, speechShare: track.speechShare,
      speechSegments: try track.finishSegments(samplesPerChannel: samplesPerChannel),
      impulsiveSeconds: Double(track.impulsiveCount) / Double(format.sampleRate),
      loudness: try loudness?.finish(sampleRate: format.sampleRate),
      pitch: try pitch?.finish(seconds: Double(samplesPerChannel) / Double(format.sampleRate)),
      warnings: reader.warnings, isCancelled: isStopped)
  }
}

/// Results of an analysis.
public struct FileAnalysisResult: Sendable {
  /// Format of the file.
  public let format: AudioFormat
  /// Samples per channel that were analyzed: all samples of the file, unless the analysis was cancelled.
  public let samplesPerChannel: Int
  /// Duration of the analyzed samples, in seconds.
  public var durationSeconds: Double { Double(samplesPerChannel) / Double(format.sampleRate) }
  /// Level over time; empty if it was not kept.
  public let levels: SpooledRows<LevelInterval>
  /// Level of the whole file: RMS over all of it, and its peak.
  public let total: LevelInterval
  /// Samples of all channels at either end of the range of 16 bits, or beyond.
  public let clippedSamples: Int
  /// Share of the frames with voice activity, 0 to 1.
  public let speechShare: Double
  /// Segments of speech, in order; nil if they were not requested.
  public let speechSegments: SpooledRows<SpeechSegment>?
  /// Duration of the spans that `SpeechSegmentation.leastSteadyShare` has left out, in seconds.
  public let impulsiveSeconds: Double
  /// Loudness over time and of the whole: integrated, range, true peak; nil if it was not measured.
  public let loudness: Loudness?
  /// Pitch over time and of the whole: voiced share, median, range; nil if it was not measured.
  public let pitch: PitchMeasurement?
  /// Warnings for the user.
  public let warnings: [AudioFileWarning]
  /// Whether the analysis was cancelled before its end.
  public let isCancelled: Bool
}
