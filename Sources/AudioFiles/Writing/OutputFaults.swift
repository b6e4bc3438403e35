/// Troubles that a test lays in the way of an output; none by default.
package struct OutputFaults {
  /// Bytes that the disk holds, and no more.
  package var capacity: Int?
  /// Whether a file cannot be named once it is made, as on some file systems.
  package var refusesNames = false
  /// What closing the file fails with (errno), as where a full disk is told of only then.
  package var closing: Int32 = 0
  /// Called after each system call that wrote something: whatever is killed, is killed here.
  package var afterSystemCall: (() -> Void)?

  /// No troubles but these.
  package init(
    capacity: Int? = nil, refusesNames: Bool = false, closing: Int32 = 0, afterSystemCall: (() -> Void)? = nil
  ) {
    self.capacity = capacity
    self.refusesNames = refusesNames
    self.closing = closing
    self.afterSystemCall = afterSystemCall
  }
}
