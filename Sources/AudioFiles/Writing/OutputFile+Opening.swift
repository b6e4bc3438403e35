import Glibc

extension OutputFile {
  /// `O_TMPFILE`, a macro that Swift does not see; the same on all processors but for `O_DIRECTORY`.
  private static let withoutName = 0o20000000 | O_DIRECTORY

  /// Opens the file called `name`, locked for this writer, as it is; if there is none, a new one.
  ///
  /// - Returns: The descriptor, and whether the file has its name already.
  static func openLocked(
    _ name: String, mustBeNew: Bool, mayReplace: Bool, path: String
  ) throws(AudioFileError) -> (descriptor: Int32, isNamed: Bool) {
    var status = stat()
    if lstat(name, &status) != 0, errno == ENOENT {
      // Not every file system has files without names; the code below reports a fault of the folder.
      let unnamed = open(folderName(of: name), O_RDWR | withoutName)
      if unnamed >= 0 {
        flock(unnamed, LOCK_EX | LOCK_NB)
        return (unnamed, false)
      }
    }
    return try openNamed(name, mustBeNew: mustBeNew, mayReplace: mayReplace, path: path)
  }

  /// Opens the file called `name`, locked for this writer; a new file has its name from the beginning.
  ///
  /// - Returns: The descriptor, and that the file has its name.
  static func openNamed(
    _ name: String, mustBeNew: Bool, mayReplace: Bool, path: String
  ) throws(AudioFileError) -> (descriptor: Int32, isNamed: Bool) {
    while true {
      let descriptor = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | (mustBeNew ? O_EXCL : 0))
      guard descriptor >= 0 else {
        let code = errno
        if name != path, code == EISDIR || code == ELOOP { throw AudioFileError(.inTheWay(name), path: path) }
        throw AudioFileError(code == EEXIST ? .exists : .create(code), path: path)
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
        Glibc.close(descriptor)
        throw AudioFileError(.busy, path: path)
      }
      // Another writer may have renamed the file between the opening and the locking.
      var opened = stat()
      var named = stat()
      if fstat(descriptor, &opened) == 0, stat(name, &named) == 0, opened.st_ino == named.st_ino {
        // Sound from a killed run is not thrown away.
        guard mayReplace || holdsNoSound(descriptor, byteCount: Int(opened.st_size)) else {
          Glibc.close(descriptor)
          throw AudioFileError(.unfinished(name), path: path)
        }
        return (descriptor, true)
      }
      Glibc.close(descriptor)
    }
  }

  /// Gives a file without a name its own.
  ///
  /// - Returns: Whether that worked; if not, with `errno`, which is EEXIST if the name is taken.
  static func name(_ descriptor: Int32, _ path: String) -> Bool {
    linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
  }

  private static func open(_ path: String, _ flags: Int32) -> Int32 {
    while true {
      let descriptor = Glibc.open(path, flags | O_CLOEXEC | O_NOCTTY, 0o666)
      if descriptor >= 0 || errno != EINTR { return descriptor }
    }
  }

  /// Returns whether there is nothing in a file, or only the header that a run writes before its first sound.
  private static func holdsNoSound(_ descriptor: Int32, byteCount: Int) -> Bool {
    guard byteCount > 0 else { return true }
    guard byteCount <= WAVHeaderImage.longestCount else { return false }
    var bytes = [UInt8](repeating: 0, count: 12)
    guard pread(descriptor, &bytes, bytes.count, 0) == bytes.count else { return false }
    let form = String(decoding: bytes[..<4], as: UTF8.self)
    return (form == "RIFF" || form == "RF64") && bytes[8...].elementsEqual("WAVE".utf8)
  }
}
