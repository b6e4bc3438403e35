/// Troubles that a test lays in the way of an output; none by default.
package struct OutputFaults {
  /// Bytes that the disk holds, and no more.
  package var capacity: Int?
  /// Called after each system call that wrote something: whatever is killed, is killed here.
  package var afterSystemCall: (() -> Void)?

  /// No troubles but these.
  package init(capacity: Int? = nil, afterSystemCall: (() -> Void)? = nil) {
    self.capacity = capacity
    self.afterSystemCall = afterSystemCall
  }
}
