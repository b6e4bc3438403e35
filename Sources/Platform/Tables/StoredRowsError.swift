import Glibc

/// Failure to read the temporary file of a table's rows again.
public struct StoredRowsError: Error, Hashable, CustomStringConvertible {
  /// Folder of the file.
  public let folder: String
  /// The system's reason, as an errno.
  public let number: Int32

  public var description: String {
    "the temporary file of rows in \(folder) cannot be read (\(String(cString: strerror(number)))); check the disk"
  }
}
