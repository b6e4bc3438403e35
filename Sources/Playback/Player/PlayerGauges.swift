import Synchronization

/// Numbers of a player that other threads read while it renders. Relaxed, since no number depends on another.
struct PlayerGauges: ~Copyable {
  /// Position in the sound of the next sample, in samples per channel of the graph's rate.
  let position = Atomic<Int>(0)
  /// Generation in the upper half; in the lower half, the number of its passes played before the present one.
  let passes = Atomic<UInt64>(0)
  /// Samples per channel that were missing and became silence.
  let underruns = Atomic<Int>(0)
}
