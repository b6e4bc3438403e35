import AudioGraph
import Synchronization

/// The values of a limiter that other threads set and read while it renders. Relaxed, since they order nothing else.
struct LimiterControl: ~Copyable {
  let isArmed: Atomic<Bool>
  let limitedFrames = Atomic<Int>(0)
  let newestGain = AtomicFloat(1)
  let smallestGain = AtomicFloat(1)

  init(isArmed: Bool) { self.isArmed = Atomic(isArmed) }

  @_noLocks
  func showIdle() {
    if newestGain.value != 1 { newestGain.set(1) }
  }

  @_noLocks
  func publish(_ gain: Float) {
    newestGain.set(gain)
    if gain < 1 { limitedFrames.wrappingAdd(1, ordering: .relaxed) }
    if gain < smallestGain.value { smallestGain.set(gain) }
  }
}
