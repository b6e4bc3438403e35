import Glibc

/// Bytes of a regular file, by their positions.
enum FileBytes {
  /// Writes bytes at a position, in as many calls as necessary.
  ///
  /// - Returns: Number of bytes written, and the error number of the call that failed, or 0.
  static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int
  ) -> (count: Int, failure: Int32) {
    var written = 0
    while written < bytes.count {
      let count = pwrite(descriptor, bytes.baseAddress! + written, bytes.count - written, off_t(offset + written))
      if count < 0 {
        if errno == EINTR { continue }
        return (written, errno)
      }
      written += count
    }
    return (written, 0)
  }

  /// Reads some bytes at a position; 0 at the end, below 0 with the reason in `errno`.
  static func read(_ descriptor: Int32, at offset: Int, into bytes: UnsafeMutableRawPointer, count: Int) -> Int {
    while true {
      let result = pread(descriptor, bytes, count, off_t(offset))
      if result >= 0 || errno != EINTR { return result }
    }
  }

  /// Returns the content of a file that has just so many bytes; nil for another one.
  static func whole(_ path: String, count: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size == count else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let part = bytes.withUnsafeMutableBytes {
        read(descriptor, at: filled, into: $0.baseAddress! + filled, count: count - filled)
      }
      guard part > 0 else { return nil }
      filled += part
    }
    return bytes
  }
}
