import AudioGraph

/// A virtual clock; with a plant, whoever looks at it allocates.
final class GateClock: EngineClock {
  private let clock = VirtualClock()
  private let allocates: Bool

  init(allocates: Bool) { self.allocates = allocates }

  var nowNanoseconds: Int {
    if allocates { allocateOnPurpose() }
    return clock.nowNanoseconds
  }

  func wait(untilNanoseconds deadlineNanoseconds: Int) { clock.wait(untilNanoseconds: deadlineNanoseconds) }

  func advance(byNanoseconds nanoseconds: Int) { clock.advance(byNanoseconds: nanoseconds) }
}
