import AudioFiles
public import AudioGraph
import Devices
public import Effects

/// Sources and sinks that the pipeline makes and connects.
extension AudioPipeline {
  /// Properties of the pipeline that custom sources and sinks need.
  public var context: PipelineContext {
    let end = knownEnd
    return PipelineContext(
      sampleRate: options.sampleRate, channelCount: options.channelCount, isOffline: options.isOffline, ready: bell,
      endPosition: { end.position })
  }

  /// Adds a user with its own uplink here: RECORD, the codec if requested, then the path to the listener.
  ///
  /// ```swift
  /// try pipeline.addSpeaker(1, from: .file("talk.wav"))
  /// let bot = try pipeline.addSpeaker(2, from: .push(AudioFormat(sampleRate: 16_000, channelCount: 1)))
  /// ```
  /// - Returns: The created source.
  /// - Throws: `.invalidArgument` if the user is there already or its format does not fit; an error of the source is
  ///   its `cause`.
  @discardableResult
  public func addSpeaker<Description: AudioSourceDescription>(
    _ uid: UInt32, from description: Description, options: UserOptions = UserOptions()
  ) throws(EngineError) -> Description.Source {
    let source = try made(description, uid: uid) {
      try userStates.checkIsNew(userStates.key(uid, channelID: options.channelID))
    }
    try addSpeaker(uid, from: source, options: options)
    return source
  }

  /// Adds a user with frames that arrive as they were sent: BEFORE MIXING, then the path to the listener.
  ///
  /// - Returns: The created source.
  /// - Throws: `.invalidArgument` if the user is there already or its format does not fit; an error of the source is
  ///   its `cause`.
  @discardableResult
  public func addRemoteUser<Description: AudioSourceDescription>(
    _ uid: UInt32, from description: Description, options: UserOptions = UserOptions()
  ) throws(EngineError) -> Description.Source {
    let source = try made(description, uid: uid) {
      try userStates.checkIsNew(userStates.key(uid, channelID: options.channelID))
    }
    try addRemoteUser(uid, from: source, options: options)
    return source
  }

  /// Gives the listener its own voice, which is in RECORD and MIXED but not in PLAYBACK.
  ///
  /// - Returns: The created source.
  /// - Throws: `.wrongState` if there is a voice already; otherwise as `addSpeaker`.
  @discardableResult
  public func setLocalSource<Description: AudioSourceDescription>(
    _ description: Description, volume: Volume = .unchanged, pitch: VoicePitch? = nil, sentChannelCount: Int? = nil
  ) throws(EngineError) -> Description.Source {
    let source = try made(description, uid: 0) { try userStates.checkHasNoLocalSource() }
    try setLocalSource(source, volume: volume, pitch: pitch, sentChannelCount: sentChannelCount)
    return source
  }

  /// Adds a consumer of the frames at a position, which is complete when the run has ended.
  ///
  /// ```swift
  /// try pipeline.addSink(.file("out.wav"))
  /// ```
  /// - Returns: The created sink. If writing fails, its `finish` throws the error again.
  /// - Throws: `.invalidArgument`; an error of the sink is its `cause`.
  @discardableResult
  public func addSink<Description: AudioSinkDescription>(
    _ description: Description, at position: SinkPosition = .mixed
  ) throws(EngineError) -> Description.Sink {
    let sink: Description.Sink
    do {
      sink = try description.makeSink(in: context)
    } catch {
      lock.withLock { _ in devices.reportRefusal(error, of: .playout) }
      throw Self.wrapped(error, "the sink cannot be made")
    }
    try addSink(sink, at: position)
    lock.withLock { _ in ownSinks.append(sink) }
    return sink
  }

  /// Makes a source, unless `check` finds that it cannot be added: a file is then not opened.
  func made<Description: AudioSourceDescription>(
    _ description: Description, uid: UInt32, check: () throws -> Void
  ) throws(EngineError) -> Description.Source {
    let source: Description.Source
    do {
      try lock.withLock { _ in
        try core.checkNotFinished()
        try check()
      }
      source = try description.makeSource(uid: uid, in: context)
    } catch {
      if uid == 0 { lock.withLock { _ in devices.reportRefusal(error, of: .capture) } }
      throw Self.wrapped(error, uid == 0 ? "the local source cannot be set" : "user \(uid) cannot be added")
    }
    lock.withLock { _ in ownSources.append(OwnSource(uid: uid, source: source)) }
    return source
  }

  /// Reports faults of created sources that have ended, as `warning` events at the position of their end. Thread: the
  /// one that delivers events.
  func reportBrokenSources() {
    let position = tickCount * options.sampleRate / 100
    lock.withLock { _ in
      ownSources.removeAll { own in
        guard let source = own.source else { return true }
        // `isExhausted` is the audio thread's.
        guard let end = source.endPosition, position >= end else { return false }
        for (code, fault) in Self.faults(of: source) {
          let user = own.uid == 0 ? "the local source" : "user \(own.uid)"
          core.post(.warning(PipelineWarning(code, "\(user): \(fault)")), at: source.endPosition)
        }
        return true
      }
    }
  }

  private static func faults(of source: any AudioSource) -> [(code: PipelineWarning.Code, fault: String)] {
    let warnings = (source as? FileSource)?.warnings ?? []
    return warnings.map { (PipelineWarning.Code($0.code), $0.message) }
      + (source.failure.map { [(.interrupted, "\($0)")] } ?? [])
  }

  /// Completes the sinks that the pipeline has created.
  ///
  /// - Parameter areWhole: Whether the sinks have all of their sound; false after a cancelled run.
  /// - Throws: The first error of writing; each is in the log.
  func finishSinks(areWhole: Bool = true) throws(EngineError) {
    if let failure = sinkFailures(areWhole: areWhole).first { throw failure }
  }

  /// Completes the sinks that the pipeline has created; errors are `warning` events.
  func reportFinishedSinks() {
    for failure in sinkFailures() { core.post(.warning(PipelineWarning(.outputFailed, failure.message))) }
    deliverEvents()
  }

  private func sinkFailures(areWhole: Bool = true) -> [EngineError] {
    var failures: [EngineError] = []
    for sink in lock.withLock({ _ in ownSinks }) {
      do {
        if areWhole { try sink.finish() } else { try sink.finishCancelled() }
      } catch {
        let failure = Self.wrapped(error, "the output is not complete")
        core.log.write(.error, failure.message)
        failures.append(failure)
      }
    }
    return failures
  }

  private static func wrapped(_ error: any Error, _ beginning: String) -> EngineError {
    error as? EngineError ?? EngineError(.invalidArgument, "\(beginning): \(error)", cause: error)
  }
}

/// A source that the pipeline has created. A user that is removed takes its source with it.
struct OwnSource {
  let uid: UInt32
  weak var source: (any AudioSource)?
}
