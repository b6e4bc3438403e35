import AudioFiles
import Engine
import Glibc

/// Identity of the file behind a path, whatever its spelling: by a link, through another folder, or with `./` before
/// it.
package enum FileIdentity: Hashable {
  /// An existing file.
  case file(device: UInt, number: UInt)
  /// A file that does not exist yet, by the true name of its folder; or a device or a pipe, which cannot be replaced.
  /// The name is bytes: two spellings of an accent are two files.
  case name([UInt8])

  package init(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      self = .name(Array(Self.trueName(of: path).utf8))
      return
    }
    self = Self.file(status) ?? .name(Array(path.utf8))
  }

  /// Identifies the file behind an open descriptor; nil without a file, and for a device or a pipe.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, let file = Self.file(status) else { return nil }
    self = file
  }

  private static func file(_ status: stat) -> FileIdentity? {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    return .file(device: UInt(status.st_dev), number: UInt(status.st_ino))
  }

  /// Returns the path with the true name of each folder that exists.
  private static func trueName(of path: String) -> String {
    let name = fileName(of: path)
    let folder = folderName(of: path)
    if let real = realPath(folder) { return (real == "/" ? "" : real) + "/" + name }
    // Neither exists: the folder may be one that will be made.
    return folder == path || folder == "." || folder == "/" ? path : trueName(of: folder) + "/" + name
  }
}
