extension AudioPipeline {
  /// Gives frames to another program, or lets it change them. `finish` what is returned after the last tick.
  ///
  /// The program that calls this ignores SIGPIPE.
  ///
  /// - Parameter isCancelled: asked while a process keeps the pipeline waiting; true is as `cancel` of what is
  ///   returned. Thread: any.
  /// - Throws: `.refused` for a filter in a live pipeline, whose audio thread cannot wait for anybody.
  public func attach(
    _ program: FrameProgram, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(EngineError) -> AttachedProgram {
    guard program.role == .reader || options.isLossless else {
      throw EngineError(.refused, "a filter program cannot work live; run the pipeline offline, or attach a reader")
    }
    let end = knownEnd
    let attached = AttachedProgram(
      program, sampleRate: options.sampleRate, endPosition: { end.position }, shouldStop: isCancelled)
    attached.register(try observe(attached.request))
    return attached
  }
}
