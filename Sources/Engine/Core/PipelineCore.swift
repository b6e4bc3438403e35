import AudioGraph
import FrameObservers

/// The parts of a pipeline that every feature uses.
///
/// Thread: control, under the pipeline's lock; a property with a type that is safe on other threads says so.
final class PipelineCore {
  let options: PipelineOptions
  /// Rung when a tick may have become possible. Thread: any.
  let bell: Doorbell
  let graph: Graph
  let hub: ObserverHub
  let listener: ListenerGraph
  let runner: GraphRunner
  let schedule: FrameSchedule
  /// Log of the pipeline. Thread: any.
  let log: EngineLog
  /// Events for the program's handlers. Thread: any.
  let events: EventQueue
  /// End of the longest source. Thread: any.
  let knownEnd = KnownEnd()
  let run = RunState()
  /// Main channel of an engine, with users that need no name of a channel; nil without one. Thread: any.
  let mainChannelID = Guarded<String?>(nil)
  /// Node; its output 0 is the sound of a loudspeaker. Nil without a sink there.
  var playout: NodeID?

  init(_ options: PipelineOptions, bell: Doorbell) throws(EngineError) {
    self.options = options
    self.bell = bell
    log = EngineLog()
    events = EventQueue(log: log)
    do {
      let format = try AudioFormat(sampleRate: options.sampleRate, channelCount: options.channelCount)
      graph = try Graph(sampleRate: format.sampleRate)
      hub = ObserverHub(graph: graph, isOffline: options.isOffline, onRelease: bell)
      listener = try ListenerGraph(format: format, channelID: options.channelID, graph: graph, hub: hub)
      runner = GraphRunner(sampleRate: format.sampleRate)
      schedule = FrameSchedule(sampleRate: format.sampleRate)
    } catch {
      throw EngineError(.invalidArgument, "the pipeline cannot be made: \(error)", cause: error)
    }
  }

  /// Ticks rendered so far. Thread: any.
  var tickCount: Int { runner.tickCount }

  /// Position of the next tick, in samples of the pipeline's time. Thread: any.
  var nowPosition: Int { schedule.position(ofFrame: runner.tickCount) }

  /// Delay from the sources to MIXED in the newest plan, in samples per channel; 0 before the first plan.
  var mixedLatency: Int { runner.plan?.latency(of: listener.mixed) ?? 0 }

  /// Longest delay from the sources to a sink of the listener, as `mixedLatency`.
  var listenerLatency: Int { max(mixedLatency, playout.flatMap { runner.plan?.latency(of: $0) } ?? 0) }

  /// - Throws: `.wrongState` if the last tick is over.
  func checkNotFinished() throws(EngineError) {
    guard run.isFinished else { return }
    throw EngineError(.wrongState, "the pipeline has finished; make another")
  }

  /// Reports an event that happened at a sample of the pipeline's time; nil: before the next tick.
  func post(_ kind: PipelineEvent.Kind, at position: Int? = nil) {
    let count = position.map { min(runner.tickCount, schedule.frameCount(holding: $0)) } ?? runner.tickCount
    events.post(PipelineEvent(kind, tickCount: count, samplePosition: position, sampleRate: options.sampleRate))
  }
}
