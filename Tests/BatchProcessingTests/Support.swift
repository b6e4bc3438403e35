import CommandLineKit
import Glibc
import Testing

/// A folder that is removed with its files.
final class BatchFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/audiopipe-batch-XXXXXX".utf8CString)
    let made = try #require(mkdtemp(&template))
    path = String(cString: made)
  }

  deinit {
    guard let stream = opendir(path) else { return }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      unlink("\(path)/\(name)")
    }
    closedir(stream)
    rmdir(path)
  }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    let file = "\(path)/\(name)"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    try #require(descriptor >= 0 && writeAll(text, to: descriptor) == 0)
    close(descriptor)
    return file
  }

  func read(_ name: String) -> String? {
    if case .success(let text) = readText("\(path)/\(name)") { text } else { nil }
  }
}

/// The failure that a body throws.
func failure(of body: () throws -> Void) -> CommandFailure? {
  do {
    try body()
    return nil
  } catch {
    return error as? CommandFailure
  }
}
