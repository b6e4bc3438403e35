import Synchronization

/// What decides at every frame whether an observer is called.
struct ObserverSwitches: ~Copyable {
  /// The registration has ended: no call begins any more.
  static var removed: UInt32 { @_noLocks get { 1 } }
  /// A call is in progress, or is about to find out that it may not be.
  static var calling: UInt32 { @_noLocks get { 2 } }

  /// Positions that are asked for. Relaxed: the bits order nothing.
  let mask: Atomic<UInt32>
  let state = Atomic<UInt32>(0)

  init(mask: UInt32) { self.mask = Atomic(mask) }
}
