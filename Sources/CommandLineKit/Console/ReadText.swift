import Glibc

/// Reason for which a text could not be read.
package enum TextReadingError: Error, Hashable {
  /// Error number of the call that failed.
  case number(Int32)
  /// The file holds more bytes than allowed.
  case tooLong
}

/// Returns the whole text of a small file, without a mark before UTF-8; invalid UTF-8 is repaired.
package func readText(_ path: String, limit: Int = 1 << 20) -> Result<String, TextReadingError> {
  readBytes(path, limit: limit).map { bytes in
    String(decoding: bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0), as: UTF8.self)
  }
}

/// Returns the bytes of a small file.
package func readBytes(_ path: String, limit: Int) -> Result<[UInt8], TextReadingError> {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return .failure(.number(errno)) }
  defer { close(descriptor) }
  return readBytes(descriptor: descriptor, limit: limit)
}

/// Reads an open descriptor to its end, and returns the bytes.
package func readBytes(descriptor: Int32, limit: Int) -> Result<[UInt8], TextReadingError> {
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 16_384)
  while true {
    let count = read(descriptor, &block, block.count)
    if count < 0 {
      guard errno == EINTR, InterruptHandler.pending == nil else { return .failure(.number(errno)) }
      continue
    }
    guard count > 0 else { return .success(bytes) }
    guard bytes.count + count <= limit else { return .failure(.tooLong) }
    bytes += block[..<count]
  }
}
