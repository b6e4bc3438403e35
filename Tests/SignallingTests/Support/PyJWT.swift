import Foundation
import TestSupport

/// PyJWT, another program that signs and verifies tokens.
enum PyJWT {
  /// Python that has PyJWT, installed on the first call if need be; nil if it cannot be installed.
  static let python: String? = try? run("/bin/bash", [root + "/.ci/python", "jwt"])

  static func sign(
    _ claims: String, algorithm: String = "HS256", secret: String = Forge.secretText, headers: String = "{}"
  ) throws -> String {
    try run(python!, [script, "sign", algorithm, secret, headers, claims])
  }

  /// Returns the claims of a token as JSON, with sorted keys. Throws if PyJWT refuses the token.
  static func verify(_ token: String, secret: String = Forge.secretText) throws -> String {
    try run(python!, [script, "verify", secret, token])
  }

  private struct Failure: Error { let code: Int32 }

  private static let root = String(#filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 })
  private static let script = root + "/Tests/PyJWT/tokens"

  private static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
    process.arguments = ["300", program] + arguments
    process.standardInput = FileHandle.nullDevice
    // A refusal is a traceback there; an installation's errors are worth reading.
    if program != "/bin/bash" { process.standardError = FileHandle.nullDevice }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitForEnd()
    guard process.terminationStatus == 0 else { throw Failure(code: process.terminationStatus) }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
