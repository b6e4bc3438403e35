public import AudioGraph
import Synchronization

/// A registered observer: its mask, its figures, and the way to remove it. Thread: any.
public final class ObserverRegistration: Sendable {
  /// Tells registrations of one hub apart, in order of registration.
  public let id: Int
  let request: ObserverRequest
  let call: ObserverCall
  let thread: ObserverThread?
  private let droppedByRemovedPlaces = Atomic<Int>(0)
  private let rings = Mutex<[FrameRing]>([])
  private let onRemove: @Sendable () -> Void

  init(id: Int, request: ObserverRequest, onRemove: @escaping @Sendable () -> Void) {
    self.id = id
    self.request = request
    self.onRemove = onRemove
    call = ObserverCall(mask: request.mask, isMeasured: request.isMeasured, handler: request.handler)
    thread = request.isAsynchronous ? ObserverThread() : nil
    thread?.start(named: "observer \(id)")
  }

  /// Positions that are asked for. A change counts from the next frame on.
  public var mask: ObserverPosition {
    get { ObserverPosition(rawValue: call.mask.pointee.load(ordering: .relaxed)) }
    set { call.mask.pointee.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// Ends the registration. After it returns no further call is made: it waits for a call in progress on another
  /// thread, and returns at once from within the observer's own call.
  public func remove() {
    call.remove()
    thread?.stop()
    onRemove()
  }

  /// True once `remove` has been called.
  public var isRemoved: Bool { call.isRemoved }

  /// Calls that took longer than 10 ms.
  public var overrunCount: Int { call.overruns.load(ordering: .relaxed) }

  /// How long the calls at one position took.
  public func durations(at position: ObserverPosition) -> CostMeter? { call.durations[position] }

  /// Frames that an asynchronous observer lost because it lagged behind.
  public var droppedFrameCount: Int {
    droppedByRemovedPlaces.load(ordering: .relaxed) + rings.withLock { $0.reduce(0) { $0 + $1.droppedCount } }
  }

  func add(_ ring: FrameRing) { rings.withLock { $0.append(ring) } }

  func remove(_ ring: FrameRing) {
    rings.withLock { $0.removeAll { $0 === ring } }
    droppedByRemovedPlaces.wrappingAdd(ring.droppedCount, ordering: .relaxed)
  }
}
