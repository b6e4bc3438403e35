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
    let reason = String(cString: strerror(number))
    return "\(path): cannot be written (\(reason)); check the folder, its rights and the space of the disk"
  }
}
