import AudioGraph
import Glibc
import Synchronization

/// What all nodes of one registration share: the handler, the mask, and whether it may still be called.
///
/// One thread calls at a time: the audio thread, or the registration's own where it is asynchronous.
final class ObserverCall: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the handler is immutable, everything else atomic.

  typealias Handler = @Sendable (inout MutableAudioFrame, FrameSource) -> Void

  private static let removed: UInt32 = 1
  private static let calling: UInt32 = 2

  /// Positions that are asked for. At a fixed address, so that the tick reads it without touching this object.
  let mask: UnsafeMutablePointer<Atomic<UInt32>>
  let figures: [ObserverPosition: CallFigures]
  private let handler: Handler
  private let state = Atomic<UInt32>(0)
  /// The thread that is in the handler; written before `calling` is seen by `remove`.
  private let caller = Atomic<UInt>(0)

  init(mask: ObserverPosition, handler: @escaping Handler) {
    self.handler = handler
    self.mask = .allocate(capacity: 1)
    self.mask.initialize(to: Atomic(mask.rawValue))
    figures = Dictionary(uniqueKeysWithValues: ObserverPosition.each.map { ($0, CallFigures()) })
  }

  deinit {
    mask.deinitialize(count: 1)
    mask.deallocate()
  }

  var isRemoved: Bool { state.load(ordering: .acquiring) & Self.removed != 0 }

  /// Calls the program, unless it has been removed.
  func call(_ block: UnsafeMutablePointer<ObservedBlock>, from source: FrameSource) {
    caller.store(UInt(pthread_self()), ordering: .relaxed)
    // Pairs with `remove`: either it sees the call in progress, or the call sees the removal.
    let before = state.bitwiseOr(Self.calling, ordering: .sequentiallyConsistent).oldValue
    defer { state.bitwiseAnd(~Self.calling, ordering: .releasing) }
    guard before & Self.removed == 0 else { return }
    let start = Self.now()
    var frame = MutableAudioFrame(block)
    handler(&frame, source)
    figures[source.position]?.record(nanoseconds: Self.now() - start)
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

  init(call: ObserverCall, source: FrameSource) {
    self.call = call
    self.source = source
  }
}

/// Hands a block to the program.
///
/// REALTIME: the program's own code runs here; how long it takes is measured and reported, and an observer that
/// cannot be quick registers as asynchronous.
@_semantics("no_performance_analysis") @inline(never)
func deliver(_ block: UnsafeMutablePointer<ObservedBlock>, to target: Unmanaged<ObserverTarget>) {
  target._withUnsafeGuaranteedRef { $0.call.call(block, from: $0.source) }
}
