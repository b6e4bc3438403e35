import Glibc

/// Writes small result files whole.
enum TextFile {
  /// Replaces the file at `path`.
  static func write(_ text: String, to path: String) throws(CommandFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .cannotCreate, "\(path): the file cannot be made (\(systemErrorText(errno))); choose another place")
    }
    defer { close(descriptor) }
    let error = writeAll(text, to: descriptor)
    guard error == 0 else {
      throw CommandFailure(.inputOutput, "\(path): writing failed (\(systemErrorText(error))); make room and try again")
    }
  }
}
