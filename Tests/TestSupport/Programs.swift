package import Foundation

/// Whether a command can be run here.
package func isInstalled(_ program: String) -> Bool {
  FileManager.default.isExecutableFile(atPath: "/usr/bin/" + program)
}

/// Runs a line of shell to its end, for a minute at most. Returns: its exit code, and what it wrote to stderr.
package func shell(_ line: String, in folder: URL) throws -> (code: Int32, errors: String) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
  process.arguments = ["60", "/bin/sh", "-c", line]
  process.currentDirectoryURL = folder
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = FileHandle.nullDevice
  let pipe = Pipe()
  process.standardError = pipe
  try process.run()
  let errors = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: errors, as: UTF8.self))
}

/// Lends a folder of its own, which is removed afterwards.
package func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}
