import Glibc
import Platform

/// Copies a pipe into a file, for libraries that must go back in it.
enum SpooledPipe {
  /// Bytes that are copied at most: 4 GiB.
  static let longest = 4 << 30

  /// Reads a pipe to its end into a file without a name, in TMPDIR or else /tmp.
  ///
  /// - Throws: `spool` if the file cannot be written, `pipeTooLong` beyond 4 GiB.
  static func copy(_ input: InputDescriptor) throws(AudioFileError) -> InputDescriptor {
    let folder = UnnamedFile.folder
    let descriptor = UnnamedFile.make(in: folder)
    guard descriptor >= 0 else { throw AudioFileError(.spool(errno, folder: folder), path: input.path) }
    do throws(AudioFileError) {
      try copy(input, to: descriptor, in: folder)
      return try InputDescriptor(descriptor: descriptor, path: input.path, ownsDescriptor: true)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func copy(
    _ input: InputDescriptor, to descriptor: Int32, in folder: String
  ) throws(AudioFileError) {
    let capacity = 256 * 1024
    let block = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    defer { block.deallocate() }
    var total = 0
    while true {
      let count = try input.readSome(block, count: capacity)
      if count == 0 { break }
      total += count
      guard total <= longest else { throw AudioFileError(.pipeTooLong, path: input.path) }
      var written = 0
      while written < count {
        let result = write(descriptor, block + written, count - written)
        if result < 0, errno == EINTR { continue }
        guard result > 0 else { throw AudioFileError(.spool(errno, folder: folder), path: input.path) }
        written += result
      }
    }
    guard lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw AudioFileError(.spool(errno, folder: folder), path: input.path)
    }
  }
}
