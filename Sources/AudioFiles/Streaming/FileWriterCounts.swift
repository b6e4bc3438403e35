import Synchronization

/// Samples that a `FileWriterThread` has counted.
///
/// Thread: the draining thread counts, any thread reads.
final class FileWriterCounts: Sendable {
  /// Samples of the graph's rate that were written or offered to the converter.
  let written = Atomic<Int>(0)
  /// Samples of the graph's rate that were cut off at the beginning or the end.
  let trimmed = Atomic<Int>(0)
  /// Samples of silence in place of missing ones.
  let filled = Atomic<Int>(0)
  /// Samples of the file's rate that were cut off behind its end.
  let cut = Atomic<Int>(0)
  /// Samples per channel of the file's rate that the writer has taken.
  let fileCount = Atomic<Int>(0)
  /// Samples of the file's rate that were offered to the writer.
  let offered = Atomic<Int>(0)
  /// Samples of the graph's rate that came after writing had failed.
  let refused = Atomic<Int>(0)
}
