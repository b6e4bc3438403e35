import Glibc
import Platform

/// Target of written bytes: a file, under its own name or as `PATH.part` until it is whole, or a stream.
///
/// A lock on the file, which ends with its process, refuses a name that another writer uses. A new file has its name
/// from `begin` on, so that no other program ever sees one without its first bytes.
final class OutputFile {
  /// Name of the output in messages.
  let path: String
  /// The file descriptor.
  let descriptor: Int32
  /// Whether bytes can only be appended: a pipe, a device, or a descriptor opened for appending.
  let isStream: Bool

  private let faults: OutputFaults
  private let isCancelled: @Sendable () -> Bool
  /// Whether a write may have to wait for a reader.
  private let hasReader: Bool
  private let workingPath: String?
  private let finalPath: String?
  private let mayReplace: Bool
  private let ownsDescriptor: Bool
  /// Whether the file has a name; false while it is in its folder without one, until `begin` names it.
  private var isNamed = true
  private var isOpen = true

  /// Makes the file at `path`; a device or a named pipe there becomes a stream.
  ///
  /// - Parameters:
  ///   - path: Path of the file.
  ///   - placement: Name under which the file grows.
  ///   - overwrite: Whether an existing file may be replaced.
  ///   - faults: Faults for a test.
  ///   - isCancelled: Called while no reader takes a stream's bytes; true ends the wait after two seconds.
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
      let (opened, failure) = PipeWriter.open(path, isCancelled: isCancelled)
      descriptor = opened
      (workingPath, finalPath) = (nil, nil)
      guard failure != ECANCELED else { throw AudioFileError(.write(failure), path: path) }
      guard failure == 0 else { throw AudioFileError(.create(failure), path: path) }
      return
    }
    if !exists, isSymbolicLink(path) { throw AudioFileError(.danglingLink, path: path) }
    if exists, !overwrite { throw AudioFileError(.exists, path: path) }
    // Renaming onto a symbolic link would replace the link, not its target.
    let target = (exists ? realPath(path) : nil) ?? path
    finalPath = target
    let working = placement == .partThenRename ? target + ".part" : target
    workingPath = working
    (descriptor, isNamed) = try Self.openLocked(
      working, mustBeNew: placement == .inPlace && !overwrite, mayReplace: overwrite, path: path)
    // The permissions of a file stay when it is replaced.
    if exists, placement == .partThenRename { fchmod(descriptor, status.st_mode & 0o7777) }
    faults.afterSystemCall?()
  }

  /// Writes to `descriptor`, which the caller closes.
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
    // With O_APPEND the kernel ignores the offset that a correction of the header needs.
    let appends = fcntl(descriptor, F_GETFL) & O_APPEND != 0
    hasReader = !isRegular
    isStream = !isRegular || appends || lseek(descriptor, 0, SEEK_CUR) != 0
  }

  deinit { close() }

  /// Path of the file that stays if writing fails on the way; nil for a stream.
  var remainingPath: String? { isStream || !isNamed ? nil : workingPath ?? path }

  /// Whether `remove` leaves nothing of the written bytes.
  var isRemovable: Bool { workingPath != nil }

  /// Writes the first bytes, which are all that the file then holds, and gives a new file its name.
  ///
  /// - Throws: `write` if the disk fails, `exists` or `busy` if the name was taken meanwhile.
  func begin(with bytes: UnsafeRawBufferPointer) throws(AudioFileError) {
    var failure = put(bytes)
    if failure == 0, !isNamed, let workingPath {
      if !faults.refusesNames, Self.name(descriptor, workingPath) {
        isNamed = true
        faults.afterSystemCall?()
      } else if !faults.refusesNames, errno == EEXIST {
        throw AudioFileError(workingPath == finalPath ? .exists : .busy, path: path)
      } else {
        // On a system that cannot name a file later, the file is made with its name.
        let (named, _) = try Self.openNamed(workingPath, mustBeNew: true, mayReplace: mayReplace, path: path)
        dup2(named, descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        Glibc.close(named)
        isNamed = true
        failure = put(bytes)
      }
    }
    // A file that is written over is valid at every moment too: first the new beginning, then the end of the old rest.
    if failure == 0, ownsDescriptor, !isStream { failure = truncate(to: bytes.count) }
    guard failure == 0 else { throw AudioFileError(.write(failure), path: path) }
  }

  private func put(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    bytes.baseAddress.map { write($0, count: bytes.count, at: 0).failure } ?? 0
  }

  /// Writes `count` bytes, at `offset` unless this is a stream.
  ///
  /// - Returns: Count of bytes written, and the errno that stopped the write; 0: none did, ECANCELED: no reader took
  ///   them.
  func write(_ bytes: UnsafeRawPointer, count: Int, at offset: Int) -> (written: Int, failure: Int32) {
    var done = 0
    while done < count {
      var wanted = count - done
      if let capacity = faults.capacity { wanted = min(wanted, max(0, capacity - offset - done)) }
      if wanted == 0 { return (done, ENOSPC) }
      if hasReader {
        guard PipeWriter.wait(for: descriptor, isCancelled: isCancelled) else { return (done, ECANCELED) }
        wanted = min(wanted, PipeWriter.bytes)
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

  /// Cuts the file off after `length` bytes, or lengthens it by a hole.
  ///
  /// - Returns: The errno of the failure, or 0.
  @discardableResult
  func truncate(to length: Int) -> Int32 {
    guard ftruncate(descriptor, off_t(length)) == 0 else { return errno }
    faults.afterSystemCall?()
    return 0
  }

  /// Closes the file and gives it its own name.
  ///
  /// - Throws: `exists` if that name was taken meanwhile; the file then stays under its `.part` name.
  func commit(length: Int) throws(AudioFileError) {
    guard isOpen else { return }
    if !ownsDescriptor, !isStream { lseek(descriptor, off_t(length), SEEK_SET) }
    if ownsDescriptor, !isStream {
      let failure = settle()
      guard failure == 0 else {
        close()
        throw AudioFileError(.write(failure), path: path, remains: remainingPath.map { .incomplete(path: $0) })
      }
    }
    if let workingPath, let finalPath, workingPath != finalPath {
      try rename(workingPath, to: finalPath)
    }
    close()
  }

  /// Makes file systems that report a full disk only when the file is closed report it now.
  ///
  /// Closes a second descriptor: the lock goes with the last one.
  ///
  /// - Returns: The errno of the failure, or 0.
  private func settle() -> Int32 {
    let second = dup(descriptor)
    guard second >= 0 else { return 0 }
    guard Glibc.close(second) == 0 || errno == EINTR else { return errno }
    return faults.closing
  }

  /// Closes the file and leaves it under its present name.
  func close() {
    guard isOpen else { return }
    isOpen = false
    if ownsDescriptor, descriptor >= 0 { Glibc.close(descriptor) }
  }

  /// Closes a file that is complete in itself but not the whole output.
  ///
  /// - Returns: The file's place; nil for a stream.
  func leave() -> AudioFileError.Remains? {
    close()
    return remainingPath.map { .valid(path: $0) }
  }

  /// Closes the file and removes it.
  func remove() {
    guard isOpen else { return }
    if let workingPath, isNamed { unlink(workingPath) }
    close()
  }

  private func rename(_ working: String, to final: String) throws(AudioFileError) {
    if !mayReplace {
      // A link fails if the name is taken, which a renaming would not.
      if link(working, final) == 0 {
        unlink(working)
        return
      }
      guard errno != EEXIST else { throw AudioFileError(.exists, path: path, remains: .valid(path: working)) }
      // Some file systems have no links.
      guard access(final, F_OK) != 0 else {
        throw AudioFileError(.exists, path: path, remains: .valid(path: working))
      }
    }
    guard Glibc.rename(working, final) != 0 else { return }
    let code = errno
    guard code != ENOENT || access(working, F_OK) == 0 else { throw AudioFileError(.removed(working), path: path) }
    throw AudioFileError(.create(code), path: path, remains: .valid(path: working))
  }
}
