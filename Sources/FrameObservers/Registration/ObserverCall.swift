import AudioGraph
import Glibc
import Synchronization

/// What all nodes of one registration share: the handler, the mask, and whether it may still be called.
///
/// One thread calls at a time: the audio thread, or the registration's own where it is asynchronous.
final class ObserverCall: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the handler is immutable, everything else atomic.

  typealias Handler = @Sendable (inout MutableAudioFrame, FrameSource) -> Void

  /// A call longer than this has overrun its frame.
  static let budgetNanoseconds = 10_000_000
  private static let removed: UInt32 = 1
  private static let calling: UInt32 = 2

  /// Positions that are asked for. At a fixed address, so that the tick reads it without touching this object.
  let mask: UnsafeMutablePointer<Atomic<UInt32>>
  let durations: [ObserverPosition: CostMeter]
  let overruns = Atomic<Int>(0)
  private let handler: Handler
  private let state = Atomic<UInt32>(0)
  /// The thread that is in the handler; written before `calling` is seen by `remove`.
  private let caller = Atomic<UInt>(0)

  init(mask: ObserverPosition, isMeasured: Bool = true, handler: @escaping Handler) {
    self.handler = handler
    self.mask = .allocate(capacity: 1)
    self.mask.initialize(to: Atomic(mask.rawValue))
    durations =
      isMeasured ? Dictionary(uniqueKeysWithValues: ObserverPosition.each.map { ($0, CostMeter()) }) : [:]
  }

  deinit {
    mask.deinitialize(count: 1)
    mask.deallocate()
  }

  var isRemoved: Bool { state.load(ordering: .acquiring) & Self.removed != 0 }

  /// Calls the program, unless it has been removed.
  func call(_ block: UnsafeMutablePointer<ObservedBlock>, from target: ObserverTarget) {
    caller.store(UInt(pthread_self()), ordering: .relaxed)
    // Pairs with `remove`: either it sees the call in progress, or the call sees the removal.
    let before = state.bitwiseOr(Self.calling, ordering: .sequentiallyConsistent).oldValue
    defer { state.bitwiseAnd(~Self.calling, ordering: .releasing) }
    guard before & Self.removed == 0 else { return }
    var frame = MutableAudioFrame(block)
    guard let durations = target.durations else { return handler(&frame, target.source) }
    let start = Self.now()
    handler(&frame, target.source)
    let duration = Self.now() - start
    durations.record(nanoseconds: duration)
    if duration > Self.budgetNanoseconds { overruns.wrappingAdd(1, ordering: .relaxed) }
  }

  /// After this returns no further call begins, and none is in progress on another thread.
  func remove() {
    let before = state.bitwiseOr(Self.removed, ordering: .sequentiallyConsistent).oldValue
    guard before & Self.calling != 0, caller.load(ordering: .relaxed) != UInt(pthread_self()) else { return }
    while state.load(ordering: .acquiring) & Self.calling != 0 { sched_yield() }
  }

  /// The cost meter's clock, which influences no sample and no event.
  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// A registration at one place of the graph.
final class ObserverTarget: Sendable {
  let call: ObserverCall
  let source: FrameSource
  /// The position's meter, found once instead of at every call.
  let durations: CostMeter?

  init(call: ObserverCall, source: FrameSource) {
    self.call = call
    self.source = source
    durations = call.durations[source.position]
  }
}

/// Hands a block to the program.
///
/// REALTIME: the program's own code runs here; how long it takes is measured and reported, and an observer that
/// cannot be quick registers as asynchronous.
@_semantics("no_performance_analysis") @inline(never)
func deliver(_ block: UnsafeMutablePointer<ObservedBlock>, to target: Unmanaged<ObserverTarget>) {
  target._withUnsafeGuaranteedRef { $0.call.call(block, from: $0) }
}
