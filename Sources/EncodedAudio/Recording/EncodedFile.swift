import Glibc

/// A file of whole pages: a killed process leaves a valid file. It is closed while nothing is written, so that a
/// recording may have more files than a process may open.
///
/// Thread: one at a time.
final class EncodedFile {
  let path: String
  /// Descriptor; -1 while the file is closed.
  private var descriptor: Int32

  /// Creates a file in a folder. A file that exists stays: the new one has a number behind its name.
  init(in folder: String, name: String) throws(EncodedFileError) {
    var number = 1
    while true {
      let path = "\(folder)/\(name)\(number == 1 ? "" : ".\(number)").opus"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 {
        self.path = path
        self.descriptor = descriptor
        return
      }
      guard errno == EEXIST, number < 10_000 else { throw EncodedFileError(path, errno) }
      number += 1
    }
  }

  deinit { rest() }

  /// Closes the file until the next bytes.
  func rest() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  private func wake() throws(EncodedFileError) {
    guard descriptor < 0 else { return }
    descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0, lseek(descriptor, 0, SEEK_END) >= 0 else { throw EncodedFileError(path, errno) }
  }

  /// Adds bytes at the end.
  func write(_ bytes: [UInt8]) throws(EncodedFileError) {
    guard !bytes.isEmpty else { return }
    try wake()
    try put(bytes) { Glibc.write(descriptor, $0, $1) }
  }

  /// Replaces the first bytes.
  func replaceHead(_ bytes: [UInt8]) throws(EncodedFileError) {
    try wake()
    var offset = 0
    try put(bytes) { memory, count in
      let written = pwrite(descriptor, memory, count, offset)
      offset += max(0, written)
      return written
    }
  }

  private func put(_ bytes: [UInt8], _ call: (UnsafeRawPointer, Int) -> Int) throws(EncodedFileError) {
    let failure = bytes.withUnsafeBytes { memory -> Int32? in
      var position = 0
      while position < memory.count {
        let count = call(memory.baseAddress! + position, memory.count - position)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : ENOSPC }
        position += count
      }
      return nil
    }
    if let failure { throw EncodedFileError(path, failure) }
  }
}
