import Synchronization

/// Where a pipeline's longest source ends, for threads that must not keep the pipeline alive.
///
/// Thread: the one that ticks stores, any reads.
package final class KnownEnd: Sendable {
  /// Below 0: not known. Stored with `releasing` before the frame is rendered in which the end lies.
  private let stored = Atomic<Int>(-1)

  /// Position behind the last sample, in samples per channel; nil while a source does not know its end.
  package var position: Int? {
    let position = stored.load(ordering: .acquiring)
    return position < 0 ? nil : position
  }

  package func store(_ position: Int) { stored.store(position, ordering: .releasing) }
}
