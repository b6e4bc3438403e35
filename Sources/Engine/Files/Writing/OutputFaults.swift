/// Troubles that a test lays in the way of an output; none by default.
package struct OutputFaults {
  /// Bytes that the disk holds, and no more.
  package var capacity: Int?
  /// Whether a file cannot be named once it is made, as on some file systems.
  package var refusesNames = false
  /// Called after each system call that wrote something: whatever is killed, is killed here.
  package var afterSystemCall: (() -> Void)?

  /// No troubles but these.
  package init(capacity: Int? = nil, refusesNames: Bool = false, afterSystemCall: (() -> Void)? = nil) {
    self.capacity = capacity
    self.refusesNames = refusesNames
    self.afterSystemCall = afterSystemCall
  }
}
