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
  process.waitForEnd()
  return (process.terminationStatus, String(decoding: errors, as: UTF8.self))
}

extension Process {
  /// Waits for the end, and kills the program if it has not come after so many seconds.
  package func waitForEnd(seconds: Int = 180) {
    let pid = processIdentifier
    let limit = DispatchWorkItem { kill(pid, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: limit)
    waitUntilExit()
    limit.cancel()
  }

  /// Runs a program with the usual action of SIGHUP: under nohup a hang-up is ignored, and programs inherit that.
  package func runWithDefaultSignals(_ path: String, _ arguments: [String]) throws {
    executableURL = URL(fileURLWithPath: "/usr/bin/env")
    self.arguments = ["--default-signal=HUP", path] + arguments
    try run()
  }
}

/// Lends a folder of its own, which is removed afterwards.
package func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}
