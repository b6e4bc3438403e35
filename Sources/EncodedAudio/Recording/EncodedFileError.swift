import Glibc

/// Reason why a file of packets cannot be written.
public struct EncodedFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Path of the file.
  public let path: String
  /// Number of the system's error.
  public let number: Int32

  init(_ path: String, _ number: Int32) {
    self.path = path
    self.number = number
  }

  public var description: String {
    "\(path): cannot be written (\(String(cString: strerror(number)))); check the folder, its rights and the space of the disk"
  }
}
