import AudioFiles
import Engine
import Glibc

/// Which file a path means, whatever it is called: by a link, through another folder, or with `./` before it.
enum FileIdentity: Hashable {
  /// A file that is there.
  case file(device: UInt, number: UInt)
  /// What is not there yet, by the true name of its folder; or a device or a pipe, which nobody can replace.
  case name(String)

  init(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      self = .name(Self.trueName(of: path))
      return
    }
    self = Self.file(status) ?? .name(path)
  }

  /// The file behind an open descriptor; nil where it is none, or a device or a pipe.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, let file = Self.file(status) else { return nil }
    self = file
  }

  private static func file(_ status: stat) -> FileIdentity? {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    return .file(device: UInt(status.st_dev), number: UInt(status.st_ino))
  }

  /// The path with every folder of it that is there under the name that it really has.
  private static func trueName(of path: String) -> String {
    let name = fileName(of: path)
    let folder = folderName(of: path)
    if let real = realPath(folder) { return (real == "/" ? "" : real) + "/" + name }
    // Neither is there: the folder may be one that will be made.
    return folder == path || folder == "." || folder == "/" ? path : trueName(of: folder) + "/" + name
  }
}
