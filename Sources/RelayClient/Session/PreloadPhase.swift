/// Step of a preload.
enum PreloadPhase: Hashable {
  /// No attempt: before the start, and after the end.
  case idle
  /// The request follows as soon as the session can send it.
  case waiting
  /// The request follows at this time.
  case pausing(untilNanoseconds: Int)
  /// `preload` waits for its answer.
  case requesting
  /// The transport connects.
  case connecting
  /// The transport is connected.
  case ready
  /// A membership of the channel uses the transport, or has used it.
  case lent
}
