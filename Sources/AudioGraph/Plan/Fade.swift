/// Part that a connection takes in the change from one plan to the next.
enum Fade: UInt8, BitwiseCopyable {
  /// Connection in both plans.
  case none
  /// New connection: silent until the change, then faded in.
  case fadeIn
  /// Leaving connection: heard until the change, then faded out.
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

/// Progress of a plan in taking over from the previous one.
enum Transition: UInt8, BitwiseCopyable {
  /// New steps run to fill their delays; the old plan is still heard.
  case warmingUp
  /// The one frame in which old paths are faded into new ones.
  case crossfading
  /// Only the new plan runs.
  case settled
}
