import AudioFiles
import AudioGraph
package import CommandLineKit
import Engine
import Glibc
package import JSON

/// A small result file, a text or a picture, written whole: `PATH.part` gets its own name when it is complete.
package struct ResultFile {
  package let path: String
  package let mayReplace: Bool
  /// Whether the result replaces the target of a symbolic link, as a sound file does, and not the link.
  private let followsLinks: Bool

  package init(path: String, mayReplace: Bool, followsLinks: Bool = false) {
    self.path = path
    self.mayReplace = mayReplace
    self.followsLinks = followsLinks
  }

  /// Checks before a long job that its results can be written.
  ///
  /// - Parameter newFolder: a folder that will exist by then.
  /// - Throws: exit code 73, as for sound files.
  package func check(newFolder: String? = nil) throws(CommandFailure) {
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
    } else if isSymbolicLink(path) {
      throw failure(.danglingLink)
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
    if !mayReplace, status.st_size > 0 { throw failure(.unfinished(target + ".part")) }
  }

  private func failure(_ reason: AudioFileError.Reason) -> CommandFailure {
    CommandFailure(sound: AudioFileError(reason, path: path))
  }

  /// Writes a text.
  package func write(_ text: String) throws(CommandFailure) { try write { writeAll(text, to: $0) } }

  /// Writes bytes.
  package func write(_ bytes: [UInt8]) throws(CommandFailure) {
    try write { descriptor in bytes.withUnsafeBytes { writeAll($0, to: descriptor) } }
  }

  /// Writes one JSON object and a line's end.
  package func writeDocument(_ body: (inout JSONWriter) -> Void) throws(CommandFailure) {
    try write { CommandLineKit.writeDocument(to: $0, body) }
  }

  /// Writes lines.
  package func writeLines(_ lines: some Sequence<String>) throws(CommandFailure) {
    try write { CommandLineKit.writeLines(lines, to: $0) }
  }

  /// Writes the file by `body`, which writes to a descriptor and returns 0 or an error number; a failure leaves no
  /// file.
  private func write(_ body: (Int32) -> Int32) throws(CommandFailure) {
    try check()
    var status = stat()
    let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    let working = isSpecial ? path : path + ".part"
    let (descriptor, error) =
      isSpecial ? PipeWriter.open(path, isCancelled: { InterruptHandler.pending != nil }) : create(working)
    guard error != ECANCELED else { throw failure(.write(error)) }
    guard error == 0 else { throw failure(.create(error)) }
    let code = body(descriptor)
    close(descriptor)
    guard code == 0 else {
      if !isSpecial { unlink(working) }
      throw failure(.write(code))
    }
    guard isSpecial || rename(working, path) == 0 else {
      let code = errno
      unlink(working)
      throw failure(.create(code))
    }
  }

  private func create(_ name: String) -> (descriptor: Int32, failure: Int32) {
    let descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    return (descriptor, descriptor < 0 ? errno : 0)
  }
}
