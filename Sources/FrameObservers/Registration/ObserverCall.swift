import AudioGraph
import Glibc
import Synchronization

/// The state that all nodes of one registration share: the handler, the mask, and whether it may still be called.
///
/// One thread calls at a time: the audio thread, or the registration's own if it is asynchronous.
final class ObserverCall: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the switches are atomics at a fixed address; the handler is read only while
  // `calling` is set and cleared only when it cannot be set any more.

  typealias Handler = @Sendable (inout MutableAudioFrame, FrameOrigin) -> Void

  /// Switches that the tick reads at every frame, without touching this object.
  let switches: UnsafeMutablePointer<ObserverSwitches>
  let figures: [ObserverPosition: CallbackStatistics]
  private var handler: Handler?
  private let isReleased = Atomic<Bool>(false)

  init(mask: ObserverPosition, isMeasured: Bool = true, handler: @escaping Handler) {
    self.handler = handler
    switches = .allocate(capacity: 1)
    switches.initialize(to: ObserverSwitches(mask: mask.rawValue))
    figures =
      isMeasured ? Dictionary(uniqueKeysWithValues: ObserverPosition.each.map { ($0, CallbackStatistics()) }) : [:]
    CallingThread.prepare()
  }

  deinit {
    switches.deinitialize(count: 1)
    switches.deallocate()
  }

  var isRemoved: Bool { switches.pointee.state.load(ordering: .acquiring) & ObserverSwitches.removed != 0 }

  /// Calls the program, unless the registration has been removed.
  func call(_ block: UnsafeMutablePointer<ObservedBlock>, from target: ObserverTarget) {
    // Pairs with `markRemoved`: either `wait` sees the call in progress, or the call sees the removal.
    let before = switches.pointee.state.bitwiseOr(ObserverSwitches.calling, ordering: .sequentiallyConsistent).oldValue
    defer { switches.pointee.state.bitwiseAnd(~ObserverSwitches.calling, ordering: .releasing) }
    guard before & ObserverSwitches.removed == 0, let handler else { return }
    let figures = target.figures
    let start = figures == nil ? 0 : Self.now()
    var frame = MutableAudioFrame(block)
    let outer = CallingThread.enter()
    handler(&frame, target.source)
    CallingThread.leave(outer)
    if let figures { figures.record(nanoseconds: Self.now() - start) }
  }

  /// Marks the registration as removed: no further call begins.
  ///
  /// - Returns: False if it was already marked.
  func markRemoved() -> Bool {
    let before = switches.pointee.state.bitwiseOr(ObserverSwitches.removed, ordering: .sequentiallyConsistent).oldValue
    return before & ObserverSwitches.removed == 0
  }

  /// Waits, after `markRemoved`, for a call in progress, and releases the program's handler.
  ///
  /// From within a call, of this observer or another, it does nothing: two that wait for each other would wait for
  /// ever.
  func finishRemoval() {
    if CallingThread.isInCall { return }
    while !releaseIfIdle() { sched_yield() }
  }

  /// Releases the program's handler, after `markRemoved`.
  ///
  /// - Returns: False if a call is in progress.
  func releaseIfIdle() -> Bool {
    // Pairs with the end of `call`: the handler's work comes before its own end.
    if switches.pointee.state.load(ordering: .acquiring) & ObserverSwitches.calling != 0 { return false }
    if !isReleased.exchange(true, ordering: .acquiringAndReleasing) { handler = nil }
    return true
  }

  /// Returns the time of the cost meter's clock, which influences no sample and no event.
  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// A registration at one tap point of the graph.
final class ObserverTarget: Sendable {
  let call: ObserverCall
  let source: FrameOrigin
  /// Statistics of the position, found once instead of at every call; nil if they are not wanted.
  let figures: CallbackStatistics?

  init(call: ObserverCall, source: FrameOrigin) {
    self.call = call
    self.source = source
    figures = call.figures[source.position]
  }
}

/// Hands a block to the program.
///
/// REALTIME: the program's own code runs here; its duration is measured and reported, and an observer that cannot be
/// quick registers as asynchronous.
@_semantics("no_performance_analysis") @inline(never)
func deliver(_ block: UnsafeMutablePointer<ObservedBlock>, to target: Unmanaged<ObserverTarget>) {
  target._withUnsafeGuaranteedRef { $0.call.call(block, from: $0) }
}
