import Foundation
import TestSupport

/// Runs a program to its end. Returns: its output; nil where it is not installed or fails.
package func run(_ program: String, _ arguments: [String], input: String? = nil) -> [UInt8]? {
  let path = "/usr/bin/" + program
  guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
  let process = Process()
  process.executableURL = URL(fileURLWithPath: path)
  process.arguments = arguments
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = FileHandle.nullDevice
  process.standardInput = input.flatMap { FileHandle(forReadingAtPath: $0) } ?? FileHandle.nullDevice
  guard (try? process.run()) != nil else { return nil }
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitForEnd()
  return process.terminationStatus == 0 ? [UInt8](output) : nil
}
