public import AudioFiles
public import AudioGraph
import Effects
public import Engine
public import FrameObservers
import Playback

/// A job with open files and a complete pipeline. Run it once.
public final class PreparedProcessing {
  /// Description of the job.
  public let job: FileProcessing
  /// Pipeline of the job, for inspection or to register observers.
  public let pipeline: AudioPipeline
  /// Format of the output.
  public var outputFormat: AudioFormat { inputs.outputFormat }
  /// Sample format of the output.
  public var outputSampleFormat: SampleFormat { inputs.outputSampleFormat }
  /// Registrations of `job.observers`, in their order; while the job runs, followed by those of its programs.
  public private(set) var registrations: [ObserverRegistration] = []

  private let inputs: OpenedInputs
  private let voices: [Voice]
  /// Source of music that comes through a pipe; nil for other music.
  private var musicSource: FileSource?
  private var music: SoundPlayer?
  private var effects: [SoundPlayer] = []
  private let events = KeptEvents()
  private let counts = PositionCounts()
  private let levels: LevelTrack?
  private let loudness: LoudnessTrack?

  private struct Voice {
    let uid: UInt32
    let reader: AudioFileReader
    let source: FileSource
    /// Start position, in samples of the graph.
    let startPosition: Int
  }

  init(_ job: FileProcessing) throws {
    self.job = job
    try job.checkLoudness()
    let inputs = try OpenedInputs(job)
    self.inputs = inputs
    let (graphRate, channelCount) = (inputs.graphRate, inputs.outputFormat.channelCount)
    let pipeline = try AudioPipeline(
      PipelineOptions(mode: .offline, sampleRate: graphRate, channelCount: channelCount))
    self.pipeline = pipeline
    voices = try inputs.voices.map { voice in
      let startPosition = Int((voice.startSeconds * Double(graphRate)).rounded())
      let source = try FileSource(
        voice.reader, sampleRate: graphRate, uid: voice.uid, startPosition: startPosition,
        roundsUp: graphRate != inputs.outputFormat.sampleRate, capacity: job.ringCapacity, ready: pipeline.bell)
      if voice.isLocal {
        try pipeline.setLocalSource(source, volume: voice.options.recordVolume)
        try pipeline.setVoiceOnlyMode(job.isVoiceOnly)
      } else {
        try pipeline.addSpeaker(voice.uid, from: source, options: voice.options)
      }
      return Voice(uid: voice.uid, reader: voice.reader, source: source, startPosition: startPosition)
    }
    for (effect, reader) in zip(job.effects, inputs.effects) {
      // A pipe gives its samples once, so they go to memory and are played from there.
      if !reader.isSeekable { pipeline.effects.preload(effect.soundID, try SoundMemory(reader)) }
      effects.append(
        try pipeline.effects.play(
          effect.soundID, effect.sound, to: .published(speaker: inputs.first.uid),
          atPosition: Int((effect.startSeconds * Double(graphRate)).rounded())))
    }
    // Before the first event, the beginning of music.
    pipeline.onEvent { [events, onEvent = job.onEvent] event in
      if events.keep(event) { onEvent(event) }
    }
    if let music = inputs.music, let wanted = job.music, music.isSeekable || wanted.repetition.plays != 1 {
      self.music = try pipeline.music.start(
        music, volume: wanted.volume, plays: wanted.repetition.plays, with: inputs.first.uid)
    } else if let music = inputs.music, let wanted = job.music {
      // A pipe gives its samples once, at its own pace, so it needs the source of a voice, not a player.
      let source = try FileSource(
        music, sampleRate: graphRate, uid: 0, fadesBreak: true, capacity: job.ringCapacity, ready: pipeline.bell)
      try pipeline.addMusic(source, volume: wanted.volume, to: .published(speaker: inputs.first.uid))
      musicSource = source
    }
    pipeline.setPlayback(job.playbackVolume)
    let mixed = try AudioFormat(sampleRate: graphRate, channelCount: channelCount)
    levels = job.levelInterval.map { LevelTrack(format: mixed, intervalMilliseconds: $0) }
    loudness =
      job.measuresLoudness
      ? LoudnessTrack(
        at: .mixed, intervalMilliseconds: job.levelInterval ?? 200, speakers: inputs.outputSpeakers) : nil
    if let interval = job.speakerInterval, voices.count > 1 {
      try pipeline.enableAudioVolumeIndication(interval: interval, reportVAD: true)
    }
    if inputs.voices.contains(where: \.isLocal), wantsEarMonitoring { try pipeline.enableInEarMonitoring(true) }
    for request in job.observers { registrations.append(try pipeline.observe(request)) }
  }

  /// Returns the steps that each tick will run. Use this to inspect a job instead of `run`: an inspected job has no
  /// output.
  public func steps() throws -> [PlanStep] {
    var sink: PreviewSink?
    if job.hasOutput {
      sink = PreviewSink(
        try AudioFormat(sampleRate: pipeline.options.sampleRate, channelCount: pipeline.options.channelCount))
    }
    _ = try complete(sink)
    return try pipeline.planSteps()
  }

  /// Adds observers to the pipeline, and the sink of its frames.
  private func complete(_ sink: (any AudioSink)?) throws -> [ProgramObserver] {
    let end = pipeline.knownEnd
    _ = try pipeline.observe(counts.request(endPosition: { end.position }))
    if let levels { _ = try pipeline.observe(levels.request(endPosition: { end.position })) }
    if let loudness { _ = try pipeline.observe(loudness.request(endPosition: { end.position })) }
    if let sink { try pipeline.addSink(sink) }
    let programs = try job.programs.map { program in
      try pipeline.attach(program, isCancelled: job.isCancelled, onWait: job.onProgramWait)
    }
    registrations += programs.compactMap(\.registration)
    return programs
  }

  /// Runs the job. Thread: the caller's; the pace determines the duration.
  ///
  /// - Parameters:
  ///   - progress: called every 200 ms of audio with the seconds done, and the seconds in total if known.
  ///   - shouldStop: called at every tick; true ends the job, with an output that is complete up to that point. An
  ///     output that would replace a file does not: the file stays, and `ProcessingResult.remains` has the sound.
  /// - Returns: results of the job, even if the reader of a pipe closed it before its end
  ///   (`ProcessingResult.outputFailure`).
  /// - Throws: `AudioFileError` of the output or an input, `FrameProgramError` of a filter, `EngineError`.
  public func run(
    progress: (Double, Double?) -> Void = { _, _ in }, shouldStop: () -> Bool = { false }
  ) throws -> ProcessingResult {
    let end = pipeline.knownEnd
    defer { for source in sources { source.close() } }
    let replacesFile = job.replacesFile
    let writer = try job.makeWriter(as: inputs)
    let leveler = try job.makeLeveler(for: writer, as: inputs)
    let length = OutputLength(
      voices: voices.map {
        .init(source: $0.source, sampleRate: $0.reader.format.sampleRate, startPosition: $0.startPosition)
      }, graphRate: pipeline.options.sampleRate, outputRate: outputFormat.sampleRate)
    let sink = try (leveler?.spooling ?? writer).map {
      try FileSink(
        $0, sampleRate: pipeline.options.sampleRate, capacity: job.ringCapacity, onRelease: pipeline.bell,
        endPosition: { end.position }, fileLength: { length.samplesPerChannel(endPosition: end.position) })
    }
    let programs = try complete(sink)
    let latency = try pipeline.latency()
    let total = expectedSeconds
    var nextReport = 0
    var isStopped = false
    do {
      try pipeline.runToEnd(pace: job.pace) {
        if pipeline.tickCount >= nextReport {
          nextReport = pipeline.tickCount + 20
          let seconds = Double(pipeline.tickCount) / 100
          // With a loudness target, the other half belongs to the passes that follow.
          progress(leveler != nil && total != nil ? seconds / 2 : seconds, total)
        }
        isStopped = shouldStop() || job.isCancelled() || programs.contains(where: \.hasFailed)
        if isStopped { for program in programs { program.cancel() } }
        return isStopped || sink?.hasFailed == true
      }
      for program in programs where program.program.role == .filter { try program.finish() }
      // A damaged input leaves no output.
      if let error = inputErrors.first(where: { $0.category == .badData }) { throw error }
    } catch {
      for program in programs { program.cancel() }
      sink?.abandon()
      throw error
    }
    // An input that fails later leaves the samples so far, in a file with a name that marks it as incomplete.
    let inputFailure = inputErrors.first
    let isCut = isStopped && !programs.contains(where: \.hasFailed)
    let output = JobOutput(sink: sink, writer: writer, leveler: leveler, replacesFile: replacesFile)
    let ended = try output.finish(isFailed: inputFailure != nil, isCut: isCut) {
      shouldStop() || job.isCancelled()
    } progress: { share in
      if let total { progress(total * (1 + share) / 2, total) }
    }
    let (remains, isCancelled) = (ended.remains, ended.isCancelled)
    var failures: [FrameProgramError] = []
    for program in programs where program.program.role == .reader {
      do {
        try program.finish()
      } catch {
        failures.append(error)
      }
    }
    // The samples read so far belong to the readers' threads until those have ended.
    for source in sources { source.close() }
    pipeline.stopPrefetching()
    if let inputFailure { throw AudioFileError(inputFailure.reason, path: inputFailure.path, remains: remains) }
    let warnings = warnings(of: writer, leveled: ended.loudness, isCancelled: isCancelled)
    for warning in warnings { job.onEvent(warning) }
    return try result(
      latency: latency, sink: sink, writer: writer, events: events.all(with: warnings), programs: programs,
      failures: failures, ended: ended)
  }

  /// Cancels the job before it has run.
  public func cancel() {
    for source in sources { source.close() }
  }

  private var wantsEarMonitoring: Bool {
    job.observers.contains { $0.mask.contains(.earMonitoring) }
      || job.programs.contains { $0.positions.contains(.earMonitoring) }
  }

  /// Errors of inputs during the job. An input that was cut short is reported in words only, as each reader does.
  private var inputErrors: [AudioFileError] {
    (sources.map(\.error) + [pipeline.music.failure]).compactMap { $0 }
      .filter { $0.reason != .cancelled && $0.reason != .shrunk }
  }

  private var sources: [FileSource] { voices.map(\.source) + [musicSource].compactMap { $0 } }

  /// End of the last voice, music and effect, in seconds; nil if unknown before the end.
  ///
  /// Sounds that are repeated forever last as long as the others.
  public var expectedSeconds: Double? {
    var length = ExpectedLength()
    for voice in voices { length.add(voice.reader, from: Double(voice.startPosition) / Double(inputs.graphRate)) }
    if let wanted = job.music { length.add(wanted, inputs.music) }
    for (effect, reader) in zip(job.effects, inputs.effects) { length.add(effect, reader) }
    return length.seconds
  }

  private func result(
    latency: Int, sink: FileSink?, writer: (any AudioFileWriter)?, events: [PipelineEvent],
    programs: [ProgramObserver], failures: [FrameProgramError], ended: JobOutput.End
  ) throws -> ProcessingResult {
    let ledgers = ledgers(latency: latency, sink: sink, programs: programs)
    return ProcessingResult(
      inputFormat: inputs.first.reader.format, inputSamplesPerChannel: processedCount,
      droppedChunks: inputs.first.reader.droppedChunks, outputFormat: outputFormat,
      outputSamplesPerChannel: writer?.samplesPerChannel ?? 0, positions: counts.snapshot(),
      latencyMilliseconds: Double(latency) * 1_000 / Double(pipeline.options.sampleRate), ledger: ledgers.whole,
      ledgerUID: ledgers.wholeUID, ledgerSampleRate: pipeline.options.sampleRate, edges: ledgers.edges,
      tickCost: pipeline.tickCost, clippedSamples: writer?.clippedSamples ?? 0,
      limiters: pipeline.limiterUses.filter { $0.frameCount > 0 },
      levels: try levels?.finish() ?? SpooledRows(),
      loudness: try loudness?.finish(sampleRate: pipeline.options.sampleRate),
      loudnessTarget: ended.loudness, events: events, registrations: registrations, programFailures: failures,
      outputFailure: ended.failure, isCancelled: ended.isCancelled, remains: ended.remains)
  }

  /// Samples per channel of the first voice that have come out at MIXED, at its own rate.
  ///
  /// Samples that were only read ahead when a job was stopped do not count.
  private var processedCount: Int {
    let first = voices.first { $0.uid == inputs.first.uid }!
    let done = counts.mixedTotals().inside
    if let end = first.source.endPosition, done >= end { return first.reader.position }
    let count = Int128(max(0, done - first.startPosition)) * Int128(first.reader.format.sampleRate)
    return min(first.reader.position, Int(count / Int128(inputs.graphRate)))
  }

  /// Returns the ledgers of the job, after the last tick, once all threads have ended.
  private func ledgers(latency: Int, sink: FileSink?, programs: [ProgramObserver]) -> JobLedgers {
    let rate = pipeline.options.sampleRate
    let rendered = pipeline.renderedSampleCount
    let mixed = counts.mixedTotals()
    return JobLedgers(
      voices: voices.map {
        .init(uid: $0.uid, edges: $0.source.edges(of: "user \($0.uid)"), startPosition: $0.startPosition)
      },
      sounds: [musicSource?.edges(of: "music"), music?.edges(of: "music")].compactMap { $0 }
        + zip(job.effects, effects).map { $1.edges(of: "effect \($0.soundID)") }
        + voices.compactMap { pipeline.codecEdge(of: $0.uid, named: "user \($0.uid): codec") }.map { [$0] },
      graph: JobLedgers.graph(
        rendered: rendered, silent: max(0, rendered - (pipeline.endPosition ?? rendered)), mixed: mixed.all,
        early: mixed.early, latency: latency, sampleRate: rate),
      output: sink?.edges(of: mixed.all, from: rate) ?? [JobLedgers.cut(mixed, sampleRate: rate)],
      programs: programs.enumerated().flatMap { $1.edges(named: "program \($0 + 1)", of: counts) })
  }

  /// Returns the warnings about files, by time, without those that a player has reported itself.
  private func warnings(
    of writer: (any AudioFileWriter)?, leveled: LoudnessTargetResult?, isCancelled: Bool
  ) -> [PipelineEvent] {
    let end = pipeline.endPosition ?? pipeline.renderedSampleCount
    let warnings = JobWarnings(sampleRate: inputs.graphRate, endPosition: end)
    var events = voices.flatMap { warnings.events(of: $0.reader, from: $0.startPosition) }
    if let writer { events += warnings.events(of: writer, path: job.outputName) }
    if let leveled, !isCancelled { events += warnings.events(of: leveled, path: job.outputName) }
    if let music = inputs.music { events += warnings.events(of: music, from: 0, playedBy: self.music) }
    for (effect, (reader, player)) in zip(job.effects, zip(inputs.effects, effects)) {
      events += warnings.events(of: effect, reader, playedBy: player)
      if !isCancelled { events += warnings.unheard(effect) }
    }
    return events.sorted { $0.time < $1.time }
  }
}
