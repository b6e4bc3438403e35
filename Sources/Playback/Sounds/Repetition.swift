package import Platform

/// How often a sound is played.
public enum Repetition: Hashable, Sendable {
  /// Once.
  case once
  /// A number of times, at least 1.
  case times(Int)
  /// Until it is stopped.
  case forever

  /// The number of times; nil: forever.
  ///
  /// - Throws: `.invalidArgument` below 1.
  package func checkedPlays(of what: String) throws(EngineError) -> Int? {
    switch self {
    case .once: return 1
    case .forever: return nil
    case .times(let count):
      guard count > 0 else {
        throw EngineError(.invalidArgument, "\(what) cannot be played \(count) times; use 1 or more, or forever")
      }
      return count
    }
  }

  /// The number of times; nil: forever.
  package var plays: Int? {
    switch self {
    case .once: 1
    case .times(let count): count
    case .forever: nil
    }
  }
}
