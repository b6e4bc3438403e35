/// Action of a ring for an element that finds it full. It never waits.
public enum OverflowPolicy: Sendable, BitwiseCopyable {
  /// Refuses the new element and counts it.
  case dropNewest
  /// Drops the oldest element, unless the consumer is reading, and counts it.
  ///
  /// While the consumer is reading, the ring refuses and counts the new element instead. It never overwrites the
  /// consumer's region during a read.
  case dropOldest
}
