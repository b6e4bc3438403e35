import Glibc

/// Whole text files.
enum TextFile {
  static func read(_ path: String) throws(WrongResult) -> String {
    guard let file = fopen(path, "r") else { throw WrongResult("cannot read \(path): \(message())") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func write(_ text: String, to path: String) throws(WrongResult) {
    guard let file = fopen(path, "w") else { throw WrongResult("cannot write \(path): \(message())") }
    let isWritten = fputs(text, file) >= 0
    guard fclose(file) == 0, isWritten else { throw WrongResult("cannot write \(path): \(message())") }
  }

  /// Writes a line to the standard error.
  static func complain(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = Glibc.write(2, bytes, bytes.count)
  }

  private static func message() -> String { String(cString: strerror(errno)) }
}
