import AudioFiles
import CommandLineKit
import Engine
import Glibc

/// The folder of `--out-dir`, made if it is not there.
struct OutputFolder {
  let path: String

  /// Nil where there is no such option.
  init?(_ path: String?) {
    guard let path else { return nil }
    self.path = path
  }

  /// Returns: whether it was made, so that `removeIfEmpty` may take it away again. Throws: exit code 73 where it cannot
  /// be.
  func make() throws(CommandFailure) -> Bool {
    guard mkdir(path, 0o777) != 0 else { return true }
    let code = errno
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return false }
    throw failure(code)
  }

  /// Removes what `make` has made and nothing was put into.
  func removeIfEmpty() { rmdir(path) }

  /// Finds out whether it could be made, and makes nothing.
  ///
  /// Returns: its path; nil where it is there already. Throws: what `make` would throw.
  func checkedIfNew() throws(CommandFailure) -> String? {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw failure(EEXIST) }
      return nil
    }
    guard errno == ENOENT else { throw failure(errno) }
    // `new/` is made in the same folder as `new`.
    let name = path.lastIndex { $0 != "/" }.map { String(path[...$0]) } ?? path
    guard access(folderName(of: name), W_OK | X_OK) == 0 else { throw failure(errno) }
    return name
  }

  private func failure(_ code: Int32) -> CommandFailure {
    CommandFailure(
      .cannotCreate, "\(path): the folder cannot be made (\(systemErrorText(code))); choose another place")
  }
}
