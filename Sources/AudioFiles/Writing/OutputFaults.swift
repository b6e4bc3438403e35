/// Faults that a test gives an output; none by default.
package struct OutputFaults {
  /// Bytes that the disk holds at most; nil: no limit.
  package var capacity: Int?
  /// Whether a file cannot be named once it is made, as on some file systems.
  package var refusesNames = false
  /// Failure of closing the file (errno), as on systems that report a full disk only then; 0: none.
  package var closing: Int32 = 0
  /// Called after each system call that wrote something; a test that kills does so here.
  package var afterSystemCall: (() -> Void)?

  /// Creates faults, none but these.
  package init(
    capacity: Int? = nil, refusesNames: Bool = false, closing: Int32 = 0, afterSystemCall: (() -> Void)? = nil
  ) {
    self.capacity = capacity
    self.refusesNames = refusesNames
    self.closing = closing
    self.afterSystemCall = afterSystemCall
  }
}
