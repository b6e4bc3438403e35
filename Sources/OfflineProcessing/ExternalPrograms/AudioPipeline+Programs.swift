public import Engine
public import Platform

extension AudioPipeline {
  /// Gives frames to another program, or lets it change them. `finish` what is returned after the last tick.
  ///
  /// The program that calls this ignores SIGPIPE.
  ///
  /// - Parameters:
  ///   - isCancelled: asked while a process keeps the pipeline waiting; true is as `cancel` of what is returned.
  ///     Thread: any.
  ///   - onWait: told in a sentence, once, where the pipeline has waited for a process for as long as a filter may take
  ///     for a frame, and nothing has come of it. It calls nothing of what is returned. Thread: any.
  /// - Throws: `.refused` for a filter in a live pipeline, whose audio thread cannot wait for anybody.
  public func attach(
    _ program: FrameProgram, isCancelled: @escaping @Sendable () -> Bool = { false },
    onWait: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(EngineError) -> ProgramObserver {
    guard program.role == .reader || options.isOffline else {
      throw EngineError(.refused, "a filter program cannot work live; run the pipeline offline, or attach a reader")
    }
    let end = knownEnd
    let attached = ProgramObserver(
      program, sampleRate: options.sampleRate, endPosition: { end.position }, shouldStop: isCancelled,
      onWait: onWait)
    attached.register(try observe(attached.request))
    return attached
  }
}
