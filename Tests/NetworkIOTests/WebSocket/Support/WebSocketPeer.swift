import Foundation
import TestSupport

/// A client or server by the Python package websockets, which runs until its value ends.
struct WebSocketPeer: ~Copyable {
  /// Python that has websockets, installed on the first call if need be; nil if it cannot be installed.
  static let python: String? = {
    let found = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: found) }
    let result = try? shell("timeout 300 .ci/python websockets > \(found.path)", in: URL(fileURLWithPath: root))
    guard result?.code == 0, let text = try? String(contentsOf: found, encoding: .utf8) else { return nil }
    return text.trimmingCharacters(in: .newlines)
  }()

  private static let root = String(#filePath.split(separator: "/").dropLast(5).reduce("") { $0 + "/" + $1 })
  private let output = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  private let program: BackgroundProgram

  init(_ arguments: String...) {
    let words = [Self.python!, Self.root + "/Tests/WebSockets/peer"] + arguments
    program = BackgroundProgram(
      "/bin/bash", ["-c", "exec \"$@\" > \(output.path) 2>> \(output.path)", "peer"] + words)
  }

  deinit { try? FileManager.default.removeItem(at: output) }

  /// The line of this number, once it is complete; everything that was printed if it does not come.
  func line(_ number: Int = 0) -> String {
    var text = ""
    var lines: [Substring] = []
    _ = eventually {
      text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
      lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      return lines.count > number
    }
    return lines.count > number ? String(lines[number]) : text
  }
}
