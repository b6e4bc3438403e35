import Foundation
import Testing

/// A folder of its own for a test, removed with everything in it.
package final class Workspace: Sendable {
  package let path: String

  package init() throws {
    path = NSTemporaryDirectory() + "audiopipe-e2e-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  package subscript(name: String) -> String { path + "/" + name }

  @discardableResult
  package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: self[name]))
    return self[name]
  }

  package func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: self[name]))) }

  package func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self[name]) }

  package func size(_ name: String) -> Int {
    var status = stat()
    return stat(self[name], &status) == 0 ? Int(status.st_size) : 0
  }

  package func json(_ name: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(try read(name))) as? [String: Any])
  }
}
