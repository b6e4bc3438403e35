import Glibc

/// The temporary file of a table's rows cannot be read again.
public struct StoredRowsError: Error, Hashable, CustomStringConvertible {
  /// The folder that the file was made in.
  public let folder: String
  /// The system's reason, as an errno.
  public let number: Int32

  public var description: String {
    "the temporary file of rows in \(folder) cannot be read (\(String(cString: strerror(number)))); check the disk"
  }
}
