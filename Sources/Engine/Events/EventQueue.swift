import AudioGraph
import FrameObservers
import Synchronization

/// Events that wait for the program's handlers.
///
/// Thread: any but the audio thread posts; one at a time delivers.
final class EventQueue: Sendable {
  private struct Handler {
    let id: Int
    let call: @Sendable (PipelineEvent) -> Void
  }

  private struct State {
    var events: [PipelineEvent] = []
    var handlers: [Handler] = []
    var nextID = 0
  }

  // Not a `Mutex`, for the reason that `Guarded` gives.
  private let state = Guarded(State())
  /// Whether events wait: a check that costs nothing without events. Set with the lock held.
  private let hasEvents = Atomic<Bool>(false)

  private let log: EngineLog

  init(log: EngineLog) { self.log = log }

  /// Posts an event. Without a handler, events are not kept, except in the log.
  func post(_ event: PipelineEvent) {
    log.write(event.kind.logLevel, "\(event.kind) at tick \(event.tickCount)")
    state.withLock { state in
      guard !state.handlers.isEmpty else { return }
      state.events.append(event)
      hasEvents.store(true, ordering: .relaxed)
    }
  }

  /// Calls the handlers, in order of events; events that a handler causes come last.
  func deliver() {
    while hasEvents.load(ordering: .relaxed) {
      let (events, handlers) = state.withLock { state in
        defer { state.events = [] }
        hasEvents.store(false, ordering: .relaxed)
        // The events of several ticks were collected kind by kind.
        let order = state.events.indices.sorted {
          (state.events[$0].tickCount, $0) < (state.events[$1].tickCount, $1)
        }
        return (order.map { state.events[$0] }, state.handlers)
      }
      for event in events {
        for handler in handlers where isRegistered(handler.id) { handler.call(event) }
      }
    }
  }

  func add(_ call: @escaping @Sendable (PipelineEvent) -> Void) -> Int {
    state.withLock { state in
      state.nextID += 1
      state.handlers.append(Handler(id: state.nextID, call: call))
      return state.nextID
    }
  }

  /// Returns whether a handler is still registered. It may remove itself, or another, between two events.
  private func isRegistered(_ id: Int) -> Bool { state.withLock { $0.handlers.contains { $0.id == id } } }

  func remove(_ id: Int) {
    state.withLock { state in state.handlers.removeAll { $0.id == id } }
  }
}

/// Registration of an event handler. Its release changes nothing: call `remove`.
public final class EventRegistration: Sendable {
  private let id: Int
  private let queue: EventQueue

  init(id: Int, queue: EventQueue) {
    self.id = id
    self.queue = queue
  }

  /// Ends the calls; a call in progress on another thread may still end. Thread: any.
  public func remove() { queue.remove(id) }
}
