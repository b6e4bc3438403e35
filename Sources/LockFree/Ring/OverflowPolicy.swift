/// What a ring does with an element that finds it full. It never waits.
public enum OverflowPolicy: Sendable, BitwiseCopyable {
  /// The new element is refused and counted.
  case dropNewest
  /// The oldest element that is not being read makes room and is counted.
  ///
  /// While the consumer is reading, the new element is refused and counted instead: the consumer's region is
  /// never written under its eyes.
  case dropOldest
}
