import Synchronization

/// The switches that decide at every frame whether an observer is called.
struct ObserverSwitches: ~Copyable {
  /// The registration has ended: no more calls begin.
  static var removed: UInt32 { @_noLocks get { 1 } }
  /// A call is in progress, or is about to check whether it is allowed.
  static var calling: UInt32 { @_noLocks get { 2 } }

  /// Requested positions. Relaxed: the bits order nothing.
  let mask: Atomic<UInt32>
  let state = Atomic<UInt32>(0)

  init(mask: UInt32) { self.mask = Atomic(mask) }
}
