import Glibc

/// Files without a name, for data that does not stay: the system removes them with their last descriptor.
package enum UnnamedFile {
  /// Folder of temporary files: `TMPDIR`, or else /tmp.
  package static var folder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

  /// Makes an empty file for reading and writing, which child processes do not inherit.
  ///
  /// - Returns: Its descriptor; below 0, with the reason in `errno`, if it cannot be made.
  package static func make(in folder: String) -> Int32 {
    var name = Array("\(folder)/audiopipe-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { return descriptor }
    unlink(name)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }
}
