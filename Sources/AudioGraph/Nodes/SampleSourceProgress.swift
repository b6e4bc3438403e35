import Synchronization

/// Positions that the audio thread and the producer of a `SampleSourceNode` exchange, in samples per channel.
struct SampleSourceProgress: ~Copyable {
  /// Samples that became silence while the producer had not finished. Stored by the audio thread.
  let missing = Atomic<Int>(0)
  /// Samples taken out of the ring, played or discarded. Stored by the audio thread with `releasing`, as the last.
  let taken = Atomic<Int>(0)
  /// Value of `taken` at which the newest discard began. Stored by the audio thread.
  let discardedFrom = Atomic<Int>(0)
  /// Target of the newest discard that was done. Stored by the audio thread with `releasing`, behind `discardedFrom`.
  let discardedTo = Atomic<Int>(0)
  /// Samples of the output that did not come from the ring, less those discarded. Stored by the audio thread.
  let inserted = Atomic<Int>(0)
  /// Position up to which samples are discarded. Stored by the producer.
  let discardTarget = Atomic<Int>(0)
}
