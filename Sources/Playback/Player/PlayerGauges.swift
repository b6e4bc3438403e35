import Synchronization

/// What other threads see of a player while it renders. Relaxed, since each number stands for itself.
struct PlayerGauges: ~Copyable {
  /// Position in the sound of the next sample, in samples per channel of the graph's rate.
  let position = Atomic<Int>(0)
  /// A generation, in the upper half, and how many of its passes have been played before the present one.
  let passes = Atomic<UInt64>(0)
  /// Samples per channel that were missing and became silence.
  let underruns = Atomic<Int>(0)
}
