import Engine
import Glibc

/// A small result file, written whole: `PATH.part` gets its own name when it is complete.
struct TextFile {
  let path: String
  let mayReplace: Bool

  /// Finds out before a long job whether its results can be written.
  ///
  /// Throws: exit code 73, as for sound files.
  func check() throws(CommandFailure) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    let kind = status.st_mode & S_IFMT
    if kind == S_IFDIR { throw CommandFailure(AudioFileError(.isDirectory(isOutput: true), path: path)) }
    if kind == S_IFREG, !mayReplace { throw CommandFailure(AudioFileError(.exists, path: path)) }
  }

  /// Writes the file.
  func write(_ text: String) throws(CommandFailure) {
    try check()
    var status = stat()
    let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    let working = isSpecial ? path : path + ".part"
    let descriptor = open(working, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw CommandFailure(AudioFileError(.create(errno), path: path)) }
    let error = writeAll(text, to: descriptor)
    close(descriptor)
    guard error == 0 else {
      if !isSpecial { unlink(working) }
      throw CommandFailure(AudioFileError(.write(error), path: path))
    }
    guard isSpecial || rename(working, path) == 0 else {
      throw CommandFailure(AudioFileError(.create(errno), path: path))
    }
  }
}
