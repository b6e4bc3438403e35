/// An error with an exit status of its own, for programs that it ends.
public protocol ExitStatusError: Error {
  /// Status for the shell; sysexits.h has the usual ones.
  var exitStatus: Int32 { get }
}
