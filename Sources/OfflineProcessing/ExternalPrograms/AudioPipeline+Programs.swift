import AudioGraph
public import Engine
import FrameObservers
public import Platform

extension AudioPipeline {
  /// Sends frames to another program, or lets it change them. Call `finish` of the returned observer after the last
  /// tick.
  ///
  /// The program that calls this ignores SIGPIPE.
  ///
  /// - Parameters:
  ///   - program: program to attach.
  ///   - isCancelled: called while the pipeline waits for a process; true acts as `cancel` of the returned observer.
  ///     Thread: any.
  ///   - onWait: called once, with a sentence, if the pipeline has waited for a process as long as a filter may take
  ///     for a frame, without progress. It must not call the returned observer. Thread: any.
  /// - Returns: the observer that carries the frames.
  /// - Throws: `.refused` for a filter in a live pipeline, since its audio thread cannot wait for a process;
  ///   `.invalidArgument` for a rate that frames cannot have.
  public func attach(
    _ program: FrameProgram, isCancelled: @escaping @Sendable () -> Bool = { false },
    onWait: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(EngineError) -> ProgramObserver {
    guard program.role == .reader || options.isOffline else {
      throw EngineError(.refused, "a filter program cannot work live; run the pipeline offline, or attach a reader")
    }
    let params: AudioParams?
    do {
      params = try program.role == .reader ? program.sampleRate.map { try reading(at: $0) } : nil
    } catch {
      throw EngineError(.invalidArgument, "the program '\(program.command)': \(error)", cause: error)
    }
    let end = knownEnd
    let rate = options.sampleRate
    let attached = ProgramObserver(
      program, params: params, sampleRate: rate,
      endPosition: { end.position.map { params == nil ? $0 : $0 * params!.sampleRate / rate } },
      shouldStop: isCancelled, onWait: onWait)
    attached.register(try observe(attached.request))
    return attached
  }

  private func reading(at sampleRate: Int) throws(AudioParamsError) -> AudioParams {
    try AudioParams(sampleRate: sampleRate, channelCount: min(2, options.channelCount))
  }
}
