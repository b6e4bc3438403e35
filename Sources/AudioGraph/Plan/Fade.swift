/// How a connection takes part in the change from one plan to the next.
enum Fade: UInt8, BitwiseCopyable {
  /// In both plans.
  case none
  /// New: silent until the change, then faded in.
  case fadeIn
  /// Leaving: heard until the change, then faded out.
  case fadeOut

  @_noLocks
  func ramp(in transition: Transition) -> Ramp {
    switch self {
    case .none: Ramp(constant: 1)
    case .fadeIn: transition == .crossfading ? Ramp(from: 0, to: 1) : Ramp(constant: 0)
    case .fadeOut: transition == .crossfading ? Ramp(from: 1, to: 0) : Ramp(constant: 1)
    }
  }
}

/// How far a plan has come in taking over from the one before it.
enum Transition: UInt8, BitwiseCopyable {
  /// New steps run to fill their delays; what is heard is still the old plan.
  case warmingUp
  /// The one frame in which old paths are faded into new ones.
  case crossfading
  /// Only the new plan runs.
  case settled
}
