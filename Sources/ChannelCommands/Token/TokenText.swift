import CommandLineKit

/// Text of a token in a file.
enum TokenText {
  /// Reads the first word of a file; `-` is stdin.
  ///
  /// - Throws: exit code 66 if it cannot be read, 65 if it is too long.
  static func read(_ path: String) throws(CommandFailure) -> String {
    let name = path == "-" ? "stdin" : path
    switch path == "-" ? readBytes(descriptor: 0, limit: 65_536) : readBytes(path, limit: 65_536) {
    case .success(let bytes):
      let spaces: Set<UInt8> = [9, 10, 13, 32]
      return String(decoding: bytes.drop { spaces.contains($0) }.prefix { !spaces.contains($0) }, as: UTF8.self)
    case .failure(.number(let code)):
      throw CommandFailure(.noInput, "\(name): the token cannot be read (\(systemErrorText(code))); check the path")
    case .failure(.tooLong):
      throw CommandFailure(
        .badData,
        "\(name): this is longer than a token can be (4096 bytes); give the file that 'audiopipe token create' has written"
      )
    }
  }
}
