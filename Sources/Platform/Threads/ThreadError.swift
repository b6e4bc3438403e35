import Glibc

/// Failure of the system to give a thread.
public struct ThreadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Name of the thread, after its purpose.
  public let name: String
  /// Reason of the failure, as an errno.
  public let number: Int32

  package init(name: String, number: Int32) {
    self.name = name
    self.number = number
  }

  /// One sentence: the missing thread and the remedy.
  public var description: String {
    "the system gives no thread for '\(name)' (\(String(cString: strerror(number)))); raise its limit (ulimit -u, or the "
      + "container's)"
  }
}
