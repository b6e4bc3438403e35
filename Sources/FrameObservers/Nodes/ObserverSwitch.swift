import Synchronization

/// Whether an observer wants the frames of its position, asked at every frame.
struct ObserverSwitch: BitwiseCopyable {
  private let mask: UnsafeMutablePointer<Atomic<UInt32>>
  private let bit: UInt32

  init(_ call: ObserverCall, position: ObserverPosition) {
    mask = call.mask
    bit = position.rawValue
  }

  /// Relaxed: the bit orders nothing; a change counts from the next frame that sees it.
  @_noLocks
  func isOn() -> Bool { mask.pointee.load(ordering: .relaxed) & bit != 0 }
}
