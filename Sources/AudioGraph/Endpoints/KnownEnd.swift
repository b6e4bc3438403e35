import Synchronization

/// End of a pipeline's longest source, for threads that must not keep the pipeline alive.
///
/// Thread: the one that ticks stores, any reads.
package final class KnownEnd: Sendable {
  /// Stored position; below 0 if unknown. Stored with `releasing` before the frame that contains the end is rendered.
  private let stored = Atomic<Int>(-1)

  package init() {}

  /// Position behind the last sample, in samples per channel; nil while a source does not know its end.
  package var position: Int? {
    let position = stored.load(ordering: .acquiring)
    return position < 0 ? nil : position
  }

  package func store(_ position: Int) { stored.store(position, ordering: .releasing) }
}
