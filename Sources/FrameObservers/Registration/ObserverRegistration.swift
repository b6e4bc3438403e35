public import AudioGraph
import Synchronization

/// A registered observer: its mask, its statistics, and its removal. Thread: any.
public final class ObserverRegistration: Sendable {
  /// Identifier of the registration in its hub, in order of registration.
  public let id: Int
  /// Request of the program; its handler is in `call`, which releases it.
  let request: ObserverRequest
  let call: ObserverCall
  let thread: ObserverThread?
  private let losses = Guarded<Losses>(Losses())
  private let onMask: @Sendable () -> Void
  private let onRemove: @Sendable () -> Void

  private struct Losses {
    var rings: [FrameRing] = []
    var elsewhere = 0
  }

  init(
    id: Int, request: ObserverRequest, onMask: @escaping @Sendable () -> Void, onRemove: @escaping @Sendable () -> Void
  ) throws(ThreadError) {
    self.id = id
    self.onMask = onMask
    self.onRemove = onRemove
    call = ObserverCall(mask: request.mask, isMeasured: request.isMeasured, handler: request.handler)
    self.request = request.withoutHandler
    thread = try request.isAsynchronous ? ObserverThread(named: "observer \(id)", onEnd: request.onEnd) : nil
  }

  /// Requested positions. A change counts from the next frame on.
  public var mask: ObserverPosition {
    get { ObserverPosition(rawValue: call.switches.pointee.mask.load(ordering: .relaxed)) }
    set {
      call.switches.pointee.mask.store(newValue.rawValue, ordering: .relaxed)
      onMask()
    }
  }

  /// Ends the registration: no further call begins.
  ///
  /// It waits for a call in progress on another thread, never for a tick. After it returns, the observer is not called.
  /// Frames that still wait for an asynchronous observer are not delivered. Within a call, its own or another
  /// observer's, it returns at once; a call in progress then ends in its own time.
  public func remove() {
    let isFirst = call.markRemoved()
    if isFirst { request.onRemoval?() }
    thread?.stop()
    call.finishRemoval()
    if isFirst { onRemove() }
  }

  /// Whether `remove` has been called.
  public var isRemoved: Bool { call.isRemoved }

  /// Number of calls that took longer than 10 ms.
  public var overrunCount: Int { call.figures.values.reduce(0) { $0 + $1.overrunCount } }

  /// Returns the number of calls at these positions that took longer than 10 ms.
  public func overrunCount(at positions: ObserverPosition) -> Int {
    call.figures.reduce(0) { $0 + (positions.contains($1.key) ? $1.value.overrunCount : 0) }
  }

  /// Returns the durations of the calls at one position; nil if `position` is not exactly one.
  public func durations(at position: ObserverPosition) -> DurationHistogram? { call.figures[position]?.durations }

  /// Number of frames that an asynchronous observer lost because it lagged behind.
  public var droppedFrameCount: Int {
    losses.withLock { losses in losses.rings.reduce(losses.elsewhere) { $0 + $1.droppedCount } }
  }

  /// Completes a removal that `remove` could not complete from within a call.
  ///
  /// - Returns: False if the call, or the thread that it was made on, is still at work.
  func releaseIfIdle() -> Bool {
    if let thread, !thread.hasEnded { return false }
    guard call.releaseIfIdle() else { return false }
    thread?.stop()
    return true
  }

  func add(_ ring: FrameRing) { losses.withLock { $0.rings.append(ring) } }

  /// Keeps the number of lost frames and releases the ring.
  func remove(_ ring: FrameRing) {
    losses.withLock { losses in
      guard let index = losses.rings.firstIndex(where: { $0 === ring }) else { return }
      losses.elsewhere += losses.rings.remove(at: index).droppedCount
    }
  }
}
