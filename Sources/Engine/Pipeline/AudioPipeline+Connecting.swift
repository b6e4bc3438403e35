public import AudioGraph
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
    let source = try made(description, uid: uid)
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
    let source = try made(description, uid: uid)
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
    let source = try made(description, uid: 0)
    try setLocalSource(source, volume: volume, pitch: pitch, sentChannelCount: sentChannelCount)
    return source
  }

  /// Adds a consumer of the frames at MIXED or PLAYBACK, which is complete when the run has ended.
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
      throw Self.wrapped(error, "the sink cannot be made")
    }
    try addSink(sink, at: position)
    lock.withLock { _ in ownSinks.append(sink) }
    return sink
  }

  private func made<Description: AudioSourceDescription>(
    _ description: Description, uid: UInt32
  ) throws(EngineError) -> Description.Source {
    do {
      return try description.makeSource(uid: uid, in: context)
    } catch {
      throw Self.wrapped(error, "user \(uid) cannot be added")
    }
  }

  /// Completes the sinks that the pipeline has created.
  ///
  /// - Throws: The first error of writing.
  func finishSinks() throws(EngineError) {
    var failure: EngineError?
    for sink in lock.withLock({ _ in ownSinks }) {
      do { try sink.finish() } catch { failure = failure ?? Self.wrapped(error, "the output is not complete") }
    }
    if let failure { throw failure }
  }

  private static func wrapped(_ error: any Error, _ beginning: String) -> EngineError {
    error as? EngineError ?? EngineError(.invalidArgument, "\(beginning): \(error)", cause: error)
  }
}
