/// Limits of data streams, which the relay enforces.
///
/// Source: Documentation/Signalling.md.
package enum DataLimits {
  /// Bytes of the longest message.
  package static let messageByteCount = 1_024
  /// Streams of a user; they are numbered from 1 on.
  package static let streamCount = 5
  /// Messages of a user within a second, over all of its streams.
  package static let messagesPerSecond = 30
  /// Time in which a missing message of a reliable stream is requested, in nanoseconds.
  package static let repetitionNanoseconds = 2_000_000_000
  /// Time in which a stream may still begin with an earlier message, in nanoseconds: for a few requests.
  package static let beginningNanoseconds = 600_000_000
  /// Time in which a late message of another stream still comes, in nanoseconds.
  package static let reorderingNanoseconds = 200_000_000
  /// Bytes that a sender keeps for requests.
  package static let keptByteCount = 65_536
}
