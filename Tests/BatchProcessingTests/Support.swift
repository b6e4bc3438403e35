import BatchProcessing
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
    let stream = try #require(fopen(file, "w"))
    let bytes = Array(text.utf8)
    let count = fwrite(bytes, 1, bytes.count, stream)
    try #require(fclose(stream) == 0 && count == bytes.count)
    return file
  }

  func read(_ name: String) -> String? {
    guard let stream = fopen("\(path)/\(name)", "r") else { return nil }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(stream), byte != EOF { bytes.append(UInt8(byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The failure that a body throws.
func failure(of body: () throws -> Void) -> BatchError? {
  do {
    try body()
    return nil
  } catch {
    return error as? BatchError
  }
}
