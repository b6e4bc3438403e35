import AudioGraph
import FrameObservers
import Synchronization

extension AudioPipeline {
  /// Registers a handler that is called with every event, in order.
  ///
  /// Thread: offline, the one in `runToEnd`, between two ticks; live, the housekeeping thread, about 10 ms later; for
  /// devices and faults of files, up to 100 ms. The handler may call the pipeline, but not `stop`. The same input gives
  /// the same events at the same `tickCount`, live and offline.
  @discardableResult
  public func onEvent(_ handler: @escaping @Sendable (PipelineEvent) -> Void) -> EventRegistration {
    EventRegistration(id: core.events.add(handler), queue: core.events)
  }

  /// Reports the events of completed ticks and calls the handlers. Thread: the one that delivers; no lock.
  func deliverEvents() {
    if features.isAnyActive { lock.withLock { _ in features.collectActive() } }
    core.events.deliver()
  }
}
