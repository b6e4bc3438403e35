/// An object with one place in a `DeadlineQueue`.
///
/// Thread: one at a time.
class TimedObject {
  /// Deadline in the queue; `Int.max` without one.
  final var deadlineNanoseconds = Int.max
  /// Index in the queue; -1 outside it.
  final var queueIndex = -1
}
