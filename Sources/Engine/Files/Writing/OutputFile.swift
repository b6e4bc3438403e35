import Glibc

/// Where written bytes go: a file, under its own name or as `PATH.part` until it is whole, or a stream.
///
/// A name in use by another writer is refused, through a lock on the file that ends with its process.
final class OutputFile {
  /// What messages call it.
  let path: String
  /// The file descriptor.
  let descriptor: Int32
  /// Whether bytes can only be appended: a pipe, a device, or a descriptor opened for appending.
  let isStream: Bool

  private let faults: OutputFaults
  private let isCancelled: @Sendable () -> Bool
  /// Whether a write may have to wait for whoever reads.
  private let hasReader: Bool
  private let workingPath: String?
  private let finalPath: String?
  private let mayReplace: Bool
  private let ownsDescriptor: Bool
  private var isOpen = true

  /// Makes the file at `path`; a device or a named pipe there becomes a stream.
  ///
  /// - Parameter isCancelled: asked while nobody takes a stream's bytes; true ends the wait after two seconds.
  init(
    path: String, placement: OutputPlacement, overwrite: Bool, faults: OutputFaults = OutputFaults(),
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(AudioFileError) {
    self.path = path
    self.faults = faults
    self.isCancelled = isCancelled
    mayReplace = overwrite
    ownsDescriptor = true
    var status = stat()
    let exists = stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    if exists, kind == S_IFDIR { throw AudioFileError(.isDirectory(isOutput: true), path: path) }
    isStream = exists && kind != S_IFREG
    hasReader = isStream
    if isStream {
      let (opened, failure) = StreamRoom.open(path, isCancelled: isCancelled)
      descriptor = opened
      (workingPath, finalPath) = (nil, nil)
      guard failure != ECANCELED else { throw AudioFileError(.write(failure), path: path) }
      guard failure == 0 else { throw AudioFileError(.create(failure), path: path) }
      return
    }
    if exists, !overwrite { throw AudioFileError(.exists, path: path) }
    // Renaming onto a symbolic link would replace the link, not what it points to.
    let target = exists ? Self.resolved(path) : path
    finalPath = target
    workingPath = placement == .partThenRename ? target + ".part" : target
    descriptor = try Self.openLocked(
      placement == .partThenRename ? target + ".part" : target,
      mustBeNew: placement == .inPlace && !overwrite, mayReplace: overwrite, path: path)
  }

  /// Writes to `descriptor`, which stays the caller's to close.
  init(
    descriptor: Int32, name: String, faults: OutputFaults = OutputFaults(),
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    path = name
    self.isCancelled = isCancelled
    self.descriptor = descriptor
    self.faults = faults
    mayReplace = true
    ownsDescriptor = false
    (workingPath, finalPath) = (nil, nil)
    var status = stat()
    let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    // With O_APPEND the kernel ignores the offset that a header's mending asks for.
    let appends = fcntl(descriptor, F_GETFL) & O_APPEND != 0
    hasReader = !isRegular
    isStream = !isRegular || appends || lseek(descriptor, 0, SEEK_CUR) != 0
  }

  deinit { close() }

  /// The file that stays where writing fails on the way; nil for a stream.
  var remainingPath: String? { isStream ? nil : workingPath ?? path }

  /// Whether `remove` leaves nothing of what was written.
  var isRemovable: Bool { workingPath != nil }

  /// Writes `count` bytes, at `offset` where this is no stream.
  ///
  /// Returns: how many were written, and the errno of what stopped it; 0: nothing did, ECANCELED: nobody took them.
  func write(_ bytes: UnsafeRawPointer, count: Int, at offset: Int) -> (written: Int, failure: Int32) {
    var done = 0
    while done < count {
      var wanted = count - done
      if let capacity = faults.capacity { wanted = min(wanted, max(0, capacity - offset - done)) }
      if wanted == 0 { return (done, ENOSPC) }
      if hasReader {
        guard StreamRoom.wait(for: descriptor, isCancelled: isCancelled) else { return (done, ECANCELED) }
        wanted = min(wanted, StreamRoom.bytes)
      }
      let result =
        isStream
        ? Glibc.write(descriptor, bytes + done, wanted)
        : pwrite(descriptor, bytes + done, wanted, offset + done)
      if result < 0, errno == EINTR || errno == EAGAIN { continue }
      if result < 0 { return (done, errno) }
      done += result
      faults.afterSystemCall?()
    }
    return (done, 0)
  }

  /// Cuts the file off after `length` bytes, or lengthens it by a hole. Returns: the errno of what failed, or 0.
  @discardableResult
  func truncate(to length: Int) -> Int32 { ftruncate(descriptor, off_t(length)) == 0 ? 0 : errno }

  /// Closes the file and gives it its own name.
  ///
  /// Throws: `exists` where that name was taken meanwhile; the file then stays under its `.part` name.
  func commit(length: Int) throws(AudioFileError) {
    guard isOpen else { return }
    if !ownsDescriptor, !isStream { lseek(descriptor, off_t(length), SEEK_SET) }
    if let workingPath, let finalPath, workingPath != finalPath {
      try rename(workingPath, to: finalPath)
    }
    close()
  }

  /// Closes the file and leaves it under the name that it has.
  func close() {
    guard isOpen else { return }
    isOpen = false
    if ownsDescriptor, descriptor >= 0 { Glibc.close(descriptor) }
  }

  /// Closes the file and removes it.
  func remove() {
    guard isOpen else { return }
    if let workingPath { unlink(workingPath) }
    close()
  }

  private func rename(_ working: String, to final: String) throws(AudioFileError) {
    if !mayReplace {
      // A link fails where the name is taken, which a renaming would not.
      if link(working, final) == 0 {
        unlink(working)
        return
      }
      guard errno != EEXIST else { throw AudioFileError(.exists, path: path) }
      // Some file systems have no links.
      guard access(final, F_OK) != 0 else { throw AudioFileError(.exists, path: path) }
    }
    guard Glibc.rename(working, final) == 0 else { throw AudioFileError(.create(errno), path: path) }
  }

  private static func open(_ path: String, _ flags: Int32) -> Int32 {
    while true {
      let descriptor = Glibc.open(path, flags | O_CLOEXEC | O_NOCTTY, 0o666)
      if descriptor >= 0 || errno != EINTR { return descriptor }
    }
  }

  /// Whether there is nothing in a file, or only the header that a run writes before its first sound.
  private static func holdsNoSound(_ descriptor: Int32, byteCount: Int) -> Bool {
    guard byteCount > 0 else { return true }
    guard byteCount <= WAVHeaderImage.longestCount else { return false }
    var bytes = [UInt8](repeating: 0, count: 12)
    guard pread(descriptor, &bytes, bytes.count, 0) == bytes.count else { return false }
    let form = String(decoding: bytes[..<4], as: UTF8.self)
    return (form == "RIFF" || form == "RF64") && bytes[8...].elementsEqual("WAVE".utf8)
  }

  private static func openLocked(
    _ name: String, mustBeNew: Bool, mayReplace: Bool, path: String
  ) throws(AudioFileError) -> Int32 {
    while true {
      let descriptor = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | (mustBeNew ? O_EXCL : 0))
      guard descriptor >= 0 else {
        throw AudioFileError(errno == EEXIST ? .exists : .create(errno), path: path)
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
        Glibc.close(descriptor)
        throw AudioFileError(.busy, path: path)
      }
      // Another writer may have renamed the file between the opening and the locking.
      var opened = stat()
      var named = stat()
      if fstat(descriptor, &opened) == 0, stat(name, &named) == 0, opened.st_ino == named.st_ino {
        // Sound that a killed run has left is nobody's to throw away.
        guard mayReplace || holdsNoSound(descriptor, byteCount: Int(opened.st_size)) else {
          Glibc.close(descriptor)
          throw AudioFileError(.unfinished(name), path: path)
        }
        ftruncate(descriptor, 0)
        return descriptor
      }
      Glibc.close(descriptor)
    }
  }

  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
