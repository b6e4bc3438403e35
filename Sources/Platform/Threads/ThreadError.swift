import Glibc

/// That the system gives no thread.
public struct ThreadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the thread was for.
  public let name: String
  /// Why, as an errno.
  public let number: Int32

  /// One sentence: what is missing, and what to do.
  public var description: String {
    "the system gives no thread for '\(name)' (\(String(cString: strerror(number)))); raise its limit (ulimit -u, or the "
      + "container's)"
  }
}
