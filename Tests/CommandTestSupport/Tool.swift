import CommandLineKit
import Commands
package import Foundation
import TestSupport
import Testing

/// The command line, called in this process or run as a user would run it.
package enum Tool {
  /// How a run ended, and what it wrote.
  package struct Ending {
    package let status: Int32
    package let output: [UInt8]
    package let errors: String

    package var text: String { String(decoding: output, as: UTF8.self) }
    /// Lines on stderr that tell of a warning.
    package var warnings: [Substring] { errors.split(separator: "\n").filter { $0.contains("warning:") } }
    /// Lines on stderr that tell of an error.
    package var failures: [Substring] { errors.split(separator: "\n").filter { $0.contains("error:") } }
    /// The object that was written to stdout.
    package var json: [String: Any]? { try? JSONSerialization.jsonObject(with: Data(output)) as? [String: Any] }
  }

  /// Beside the bundle of tests.
  package static let path: String = {
    let test = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: test ?? "/").deletingLastPathComponent().appendingPathComponent("audiopipe").path
  }()

  /// Calls `audiopipe` in this process with the words of a line, split at spaces.
  ///
  /// For options, messages and files. Signals, stdin, sound on stdout, terminals and what C libraries print need `run`.
  package static func call(_ line: String, in folder: Workspace) throws -> Ending {
    let captured = try CapturedConsole()
    let words = line.split(separator: " ").map(String.init)
    let status = ThreadOwned<Int32>(-1)
    let console = captured.console
    runThreads {
      // Threads that this one starts share its folder; the others of this process keep theirs.
      guard unshare(shareFolders) == 0, chdir(folder.path) == 0 else { return }
      status.value = Audiopipe.run(words, console: console).rawValue
    }
    try #require(status.value >= 0, "\(folder.path) cannot be entered")
    return Ending(status: status.value, output: captured.bytes, errors: captured.lines.joined)
  }

  /// CLONE_FS of linux/sched.h: the working directory is one of all threads.
  private static let shareFolders: Int32 = 0x200

  /// Runs the executable `audiopipe` with the words of a line, split at spaces.
  package static func run(_ line: String, in folder: Workspace) throws -> Ending {
    try finish(launch(line, in: folder), in: folder)
  }

  /// Runs a script of bash, in which `$A` is the executable; a pipe fails with the first of its programs that does.
  package static func shell(_ script: String, in folder: Workspace) throws -> Ending {
    try finish(start("/bin/bash", ["-c", "set -o pipefail; A='\(path)'; \(script)"], in: folder), in: folder)
  }

  /// Starts `audiopipe` and leaves it running; stdin is empty unless it is given.
  package static func launch(_ line: String, in folder: Workspace, input: Any? = nil) throws -> Run {
    try launch(line.split(separator: " ").map(String.init), in: folder, input: input)
  }

  /// With an `output` nothing is found in the ending's.
  package static func launch(
    _ words: [String], in folder: Workspace, input: Any? = nil, output: Any? = nil, environment: [String: String] = [:]
  ) throws -> Run {
    try start(path, words, in: folder, input: input, output: output, environment: environment)
  }

  /// A program that runs.
  package final class Run {
    package let process = Process()
    package let outputPath: String
    package let errorPath: String

    init(in folder: Workspace) {
      let name = UUID().uuidString
      outputPath = folder[name + ".stdout"]
      errorPath = folder[name + ".stderr"]
    }

    package func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// What was written to stdout up to now.
    package var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }

    /// Whether it has come so far that a signal asks it to leave.
    package var handlesSignals: Bool {
      guard let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8),
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix("SigCgt:") })
      else { return false }
      return (UInt64(line.dropFirst(7).drop { $0.isWhitespace }, radix: 16) ?? 0) & (1 << UInt64(SIGTERM - 1)) != 0
    }

    /// Whether it has opened the file or pipe at `path`.
    package func hasOpen(_ path: String) -> Bool {
      let folder = "/proc/\(process.processIdentifier)/fd/"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.contains { (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0)) == path }
    }

    /// Looks again and again until `isTrue`, or the program has ended, or 30 s are over.
    package func poll(until isTrue: () -> Bool) -> Bool {
      for _ in 0..<30_000 {
        if isTrue() { return true }
        if !process.isRunning { return isTrue() }
        Glibc.poll(nil, 0, 1)
      }
      return false
    }
  }

  /// Waits for the end of a program, for three minutes at most: then it is killed.
  package static func finish(_ run: Run, in folder: Workspace) throws -> Ending {
    run.process.waitForEnd()
    return Ending(
      status: run.process.terminationReason == .exit
        ? run.process.terminationStatus : 128 + run.process.terminationStatus,
      output: Array(try Data(contentsOf: URL(fileURLWithPath: run.outputPath))),
      errors: try String(contentsOfFile: run.errorPath, encoding: .utf8))
  }

  private static func start(
    _ program: String, _ words: [String], in folder: Workspace, input: Any? = nil, output: Any? = nil,
    environment: [String: String] = [:]
  ) throws -> Run {
    let run = Run(in: folder)
    for path in [run.outputPath, run.errorPath] { try Data().write(to: URL(fileURLWithPath: path)) }
    let outputFile: FileHandle = try FileHandle(forWritingTo: URL(fileURLWithPath: run.outputPath))
    let errorFile: FileHandle = try FileHandle(forWritingTo: URL(fileURLWithPath: run.errorPath))
    if !environment.isEmpty {
      run.process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }
    run.process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    run.process.standardInput = input ?? FileHandle.nullDevice
    run.process.standardOutput = output ?? outputFile
    run.process.standardError = errorFile
    try run.process.runWithDefaultSignals(program, words)
    return run
  }
}

/// unshare(2), which Glibc's module leaves out.
@_silgen_name("unshare")
private func unshare(_ flags: Int32) -> Int32
