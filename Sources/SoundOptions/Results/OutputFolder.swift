import AudioFiles
package import CommandLineKit
import Engine
import Glibc

/// Folder of `--out-dir`, made if it does not exist.
package struct OutputFolder {
  package let path: String

  /// Creates the folder of a path; nil without that option.
  package init?(_ path: String?) {
    guard let path else { return nil }
    self.path = path
  }

  /// Makes the folder, if it does not exist.
  ///
  /// - Returns: whether it is new, so that `removeIfEmpty` may remove it again.
  /// - Throws: exit code 73 if it cannot be made.
  package func make() throws(CommandFailure) -> Bool {
    guard mkdir(path, 0o777) != 0 else { return true }
    let code = errno
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return false }
    throw failure(code)
  }

  /// Removes the folder if it is empty.
  package func removeIfEmpty() { rmdir(path) }

  /// Checks that the folder could be made, and makes nothing.
  ///
  /// - Returns: its path; nil if it already exists.
  /// - Throws: as `make`.
  package func checkedIfNew() throws(CommandFailure) -> String? {
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
    let fault =
      switch code {
      case ENOENT: "the folder above it does not exist; make that first"
      case EEXIST, ENOTDIR: "the folder cannot be made, since a file has that name; choose another place"
      default: "the folder cannot be made (\(systemErrorText(code))); choose another place"
      }
    return CommandFailure(.cannotCreate, "\(path): \(fault)")
  }
}
