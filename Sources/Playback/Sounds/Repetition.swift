package import Platform

/// Number of times that a sound is played.
public enum Repetition: Hashable, Sendable {
  /// One time.
  case once
  /// A number of times, at least 1.
  case times(Int)
  /// Again and again, until it is stopped.
  case forever

  /// Returns the number of times; nil for `forever`.
  ///
  /// - Parameter what: name of the sound in the error's message.
  /// - Returns: number of times, at least 1.
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

  /// Number of times; nil for `forever`.
  package var plays: Int? {
    switch self {
    case .once: 1
    case .times(let count): count
    case .forever: nil
    }
  }
}
