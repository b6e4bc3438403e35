import Glibc
import Synchronization

/// A file or a pipe that is read from its present position on.
final class InputDescriptor {
  /// Name of the input in messages.
  let path: String
  /// The file descriptor.
  let descriptor: Int32
  /// Bytes from the beginning to the end of a regular file; nil: a pipe or a device.
  let fileSize: Int?
  /// Offset of a regular file at which reading began.
  let start: Int

  private let ownsDescriptor: Bool
  /// Bytes of a pipe that were read ahead, and are read again first.
  private var held: ArraySlice<UInt8> = []
  private let isCancelled: @Sendable () -> Bool
  /// Whether a wait for a pipe shall end. Pairs with nothing: a flag, polled while a pipe has nothing to give.
  private let isClosing = Atomic<Bool>(false)

  /// Opens the file at `path`. Opening a named pipe without a writer does not wait; reading does.
  static func open(
    path: String, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(AudioFileError) -> InputDescriptor {
    var status = stat()
    let isPipe = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    var descriptor: Int32
    repeat {
      descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (isPipe ? O_NONBLOCK : 0))
    } while descriptor < 0 && errno == EINTR && !isCancelled()
    guard descriptor >= 0 else { throw AudioFileError(errno == EINTR ? .cancelled : .open(errno), path: path) }
    return try InputDescriptor(descriptor: descriptor, path: path, ownsDescriptor: true, isCancelled: isCancelled)
  }

  /// Reads from `descriptor`, and closes it at the end if it is owned.
  init(
    descriptor: Int32, path: String, ownsDescriptor: Bool, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(AudioFileError) {
    self.isCancelled = isCancelled
    self.path = path
    self.descriptor = descriptor
    self.ownsDescriptor = ownsDescriptor
    var status = stat()
    let flags = fcntl(descriptor, F_GETFL)
    // A descriptor for writing alone is as good as closed.
    let isReadable = flags >= 0 && flags & O_ACCMODE != O_WRONLY
    let isKnown = isReadable && fstat(descriptor, &status) == 0
    let code = isReadable ? errno : EBADF
    let kind = status.st_mode & S_IFMT
    if isKnown, kind == S_IFREG {
      fileSize = Int(status.st_size)
      start = Int(lseek(descriptor, 0, SEEK_CUR))
      // The kernel then reads ahead in larger pieces.
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    } else {
      fileSize = nil
      start = 0
    }
    guard isKnown else { throw AudioFileError(.open(code), path: path) }
    guard kind != S_IFDIR else { throw AudioFileError(.isDirectory(isOutput: false), path: path) }
  }

  deinit { if ownsDescriptor { close(descriptor) } }

  /// Whether the input is a regular file.
  var isSeekable: Bool { fileSize != nil }

  /// Ends a wait for a pipe that gives nothing. Thread: any.
  func cancel() { isClosing.store(true, ordering: .relaxed) }

  /// Reads once; a pipe may give less than `count` bytes.
  ///
  /// - Returns: Bytes read; 0 at the end.
  /// - Throws: `cancelled` if it would wait longer than it may.
  func readSome(_ bytes: UnsafeMutableRawPointer, count: Int) throws(AudioFileError) -> Int {
    if !held.isEmpty { return takeHeld(bytes, count: count) }
    while true {
      if !isSeekable { try waitForBytes() }
      let result = Glibc.read(descriptor, bytes, count)
      if result >= 0 { return result }
      let code = errno
      guard code != EISDIR else { throw AudioFileError(.isDirectory(isOutput: false), path: path) }
      // This pipe came set to not wait; we wait all the same.
      guard code == EINTR || code == EAGAIN else { throw AudioFileError(.read(code), path: path) }
    }
  }

  /// Gives bytes of a pipe back, to be read again.
  func putBack(_ bytes: ArraySlice<UInt8>) { held = bytes + held }

  private func takeHeld(_ bytes: UnsafeMutableRawPointer, count: Int) -> Int {
    let taken = held.prefix(count)
    taken.withUnsafeBytes { if let base = $0.baseAddress { memcpy(bytes, base, $0.count) } }
    held = held.dropFirst(taken.count)
    return taken.count
  }

  /// Waits until a pipe has bytes, has ended or has failed.
  private func waitForBytes() throws(AudioFileError) {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&request, 1, 100) <= 0 {
      if isClosing.load(ordering: .relaxed) || isCancelled() { throw AudioFileError(.cancelled, path: path) }
    }
  }

  /// Reads `count` bytes, fewer only at the end.
  func readAll(_ bytes: UnsafeMutableRawPointer, count: Int) throws(AudioFileError) -> Int {
    var done = 0
    while done < count {
      let result = try readSome(bytes + done, count: count - done)
      if result == 0 { break }
      done += result
    }
    return done
  }

  /// Reads `count` bytes at `offset` of a regular file, fewer only at the end; the position stays.
  func peek(_ bytes: UnsafeMutableRawPointer, count: Int, at offset: Int) throws(AudioFileError) -> Int {
    var done = 0
    while done < count {
      let result = pread(descriptor, bytes + done, count - done, offset + done)
      if result < 0, errno == EINTR { continue }
      if result < 0 { throw AudioFileError(.read(errno), path: path) }
      if result == 0 { break }
      done += result
    }
    return done
  }

  /// Returns the bytes of a regular file in a range of offsets, fewer only at the end or after a read error. Reading
  /// the sound reports that error. The position stays.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    let got = (try? peek(&bytes, count: range.count, at: range.lowerBound)) ?? 0
    return Array(bytes[..<got])
  }

  /// Offset of the next read in a regular file.
  var position: Int { Int(lseek(descriptor, 0, SEEK_CUR)) }

  /// Passes over `count` bytes.
  ///
  /// - Returns: Count of bytes that were there.
  func skip(_ count: UInt64) throws(AudioFileError) -> UInt64 {
    if let fileSize {
      let present = min(count, UInt64(max(0, fileSize - position)))
      try seek(to: position + Int(present))
      return present
    }
    return try withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) {
      scratch throws(AudioFileError) in
      var left = count
      while left > 0 {
        let result = try readSome(scratch.baseAddress!, count: Int(min(left, 4096)))
        if result == 0 { break }
        left -= UInt64(result)
      }
      return count - left
    }
  }

  /// Goes to `offset` of a regular file.
  func seek(to offset: Int) throws(AudioFileError) {
    guard lseek(descriptor, offset, SEEK_SET) >= 0 else { throw AudioFileError(.read(errno), path: path) }
  }
}
