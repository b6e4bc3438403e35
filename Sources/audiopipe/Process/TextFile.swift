import Engine
import Glibc

/// A small result file, written whole: `PATH.part` gets its own name when it is complete.
struct TextFile {
  let path: String
  let mayReplace: Bool
  /// Whether the file that a symbolic link means is replaced, as a sound file is, and not the link.
  var followsLinks = false

  /// Finds out before a long job whether its results can be written.
  ///
  /// `newFolder` is one that will have been made by then.
  /// Throws: exit code 73, as for sound files.
  func check(newFolder: String? = nil) throws(CommandFailure) {
    var status = stat()
    if stat(path, &status) == 0 {
      let kind = status.st_mode & S_IFMT
      if kind == S_IFDIR { throw failure(.isDirectory(isOutput: true)) }
      guard kind == S_IFREG else {
        // A device or a pipe is written as it is, whatever its folder.
        if access(path, W_OK) != 0 { throw failure(.create(errno)) }
        return
      }
      if !mayReplace { throw failure(.exists) }
    }
    let target = (followsLinks ? realPath(path) : nil) ?? path
    let folder = folderName(of: target)
    if let newFolder, FileIdentity(path: folder) == FileIdentity(path: newFolder) { return }
    guard stat(folder, &status) == 0 else { throw failure(.create(errno)) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw failure(.create(ENOTDIR)) }
    guard access(folder, W_OK | X_OK) == 0 else { throw failure(.create(errno)) }
    guard stat(target + ".part", &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR { throw failure(.create(EISDIR)) }
    if access(target + ".part", W_OK) != 0 { throw failure(.create(errno)) }
  }

  private func failure(_ reason: AudioFileError.Reason) -> CommandFailure {
    CommandFailure(AudioFileError(reason, path: path))
  }

  /// Writes the file.
  func write(_ text: String) throws(CommandFailure) {
    try check()
    var status = stat()
    let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    let working = isSpecial ? path : path + ".part"
    let descriptor = open(working, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(.create(errno)) }
    let error = writeAll(text, to: descriptor)
    close(descriptor)
    guard error == 0 else {
      if !isSpecial { unlink(working) }
      throw failure(.write(error))
    }
    guard isSpecial || rename(working, path) == 0 else {
      throw failure(.create(errno))
    }
  }
}
