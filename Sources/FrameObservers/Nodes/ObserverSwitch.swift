import Synchronization

/// The switch that shows, at every frame, whether an observer wants the frames of its position.
struct ObserverSwitch: BitwiseCopyable {
  private let switches: UnsafeMutablePointer<ObserverSwitches>
  private let bit: UInt32

  init(_ call: ObserverCall, position: ObserverPosition) {
    switches = call.switches
    bit = position.rawValue
  }

  /// Returns whether the observer wants the frame.
  ///
  /// Relaxed: the bits order nothing; a change counts from the next frame that sees it.
  @_noLocks
  func isOn() -> Bool {
    switches.pointee.mask.load(ordering: .relaxed) & bit != 0
      && switches.pointee.state.load(ordering: .relaxed) & ObserverSwitches.removed == 0
  }
}
