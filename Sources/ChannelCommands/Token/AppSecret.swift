import CommandLineKit
import Cryptography
import Glibc
import Signalling

/// Secrets of an app, read from files: the first signs tokens, all of them verify.
enum AppSecret {
  /// Fewest bytes of a secret in a file: those of the hash that signs.
  static let minimumByteCount = 32
  /// Most secrets of an app: the present one, and another while they are exchanged.
  static let maximumCount = 2

  static func declaration(group: String) -> OptionDeclaration {
    OptionDeclaration(
      "app-secret-file", .file, isRepeatable: true, group: group,
      help:
        "File with the app's secret, \(minimumByteCount) bytes or more; up to \(maximumCount): the first one signs, all verify"
    )
  }

  /// Reads the secrets of a command line.
  ///
  /// - Throws: exit code 64 without one, 66 and 65 for a file that cannot be read or is too short.
  static func read(_ parsed: ParsedArguments) throws(CommandFailure) -> [TokenSecret] {
    let paths = parsed.texts("app-secret-file")
    guard !paths.isEmpty else { throw .usage("a secret is needed; add --app-secret-file FILE") }
    guard paths.count <= maximumCount else {
      throw .usage("--app-secret-file was given \(paths.count) times; an app has \(maximumCount) secrets at most")
    }
    return try paths.map { path throws(CommandFailure) in try read(path) }
  }

  /// Reads one secret: the bytes of the file without a line end behind them, never decoded.
  static func read(_ path: String) throws(CommandFailure) -> TokenSecret {
    let content = path == "-" ? readBytes(descriptor: 0, limit: 65_536) : readBytes(path, limit: 65_536)
    let name = path == "-" ? "stdin" : path
    var bytes: [UInt8]
    switch content {
    case .success(let found): bytes = found
    case .failure(.number(let code)):
      throw CommandFailure(.noInput, "\(name): the secret cannot be read (\(systemErrorText(code))); check the path")
    case .failure(.tooLong): throw CommandFailure(.badData, "\(name): a secret has at most 65536 bytes")
    }
    defer { for index in bytes.indices { bytes[index] = 0 } }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard bytes.count >= minimumByteCount else {
      throw CommandFailure(
        .badData,
        "\(name): a secret has \(minimumByteCount) bytes or more, not \(bytes.count); make one with head -c 32 /dev/urandom | base64"
      )
    }
    do {
      return try TokenSecret(keyID: keyID(of: bytes), bytes: bytes.span)
    } catch {
      throw CommandFailure(.badData, "\(name): \(error)")
    }
  }

  /// Returns the key id of a secret: 8 digits of its hash, so that every program that has the file finds the same.
  private static func keyID(of bytes: [UInt8]) -> String {
    MessageDigest.sha256.hash(bytes.span).prefix(4).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
