import CommandTestSupport
import Foundation
import TestSupport
import Testing

@testable import CommandLineKit
@testable import Commands

/// F_SETPIPE_SZ of linux/fcntl.h, which Glibc's module leaves out.
private let setPipeSize: Int32 = 1024 + 7

private let endings: [(signal: Int32, status: Int32)] = [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)]

/// The built program, blocked while it writes to a pipe that is full: signals find it at a known place.
private final class BlockedProgram {
  private static let pipeSize = 4096
  let process = Process()
  private let reader: Int32

  init() throws {
    let test = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let program = URL(fileURLWithPath: test).deletingLastPathComponent().appendingPathComponent("audiopipe").path
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reader = ends[0]
    try #require(fcntl(ends[1], setPipeSize, Int32(Self.pipeSize)) == Self.pipeSize)
    let filling = [UInt8](repeating: 0, count: Self.pipeSize)
    try #require(write(ends[1], filling, filling.count) == filling.count)
    let errors = Pipe()
    process.standardOutput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
    process.standardError = errors
    try process.runWithDefaultSignals(program, ["completion", "-v", "bash"])
    close(ends[1])
    // Its first message comes after the handlers were set, and before it writes to the full pipe.
    try #require(try errors.fileHandleForReading.read(upToCount: 1)?.count == 1)
  }

  deinit { close(reader) }

  /// Sends a signal, and returns when the program has taken it.
  func send(_ signal: Int32) throws {
    kill(process.processIdentifier, signal)
    if eventually({ !isPending(signal) }) { return }
    kill(process.processIdentifier, SIGKILL)
    Issue.record("the program does not take signal \(signal)")
  }

  /// Reads what it writes, and waits for the end.
  func drain() -> (bytes: Int, status: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var total = -Self.pipeSize
    while true {
      let count = read(reader, &buffer, buffer.count)
      guard count > 0 else { break }
      total += count
    }
    process.waitForEnd()
    return (total, process.terminationStatus)
  }

  private func isPending(_ signal: Int32) -> Bool {
    guard case .success(let text) = readText("/proc/\(process.processIdentifier)/status") else {
      return false
    }
    return text.split(separator: "\n").contains { line in
      guard line.hasPrefix("SigPnd:") || line.hasPrefix("ShdPnd:") else { return false }
      return (UInt64(line.dropFirst(7).drop { $0.isWhitespace }, radix: 16) ?? 0) & (1 << UInt64(signal - 1))
        != 0
    }
  }
}

@Suite("InterruptHandler", .timeLimit(.minutes(10)))
struct InterruptHandlerTests {
  @Test(
    "the first signal lets the job finish and sets its exit code",
    arguments: endings)
  func first(signal: Int32, status: Int32) throws {
    let program = try BlockedProgram()
    try program.send(signal)
    let end = program.drain()
    let script = CompletionShell.bash.script(
      program: CommandTable.program, commands: CommandTable.commands.map(\.declaration))
    #expect(end == (script.utf8.count, status))
    #expect(program.process.terminationReason == .exit)
  }

  @Test("the first signal ends the wait for a stalled reader", arguments: endings)
  func unread(signal: Int32, status: Int32) throws {
    let program = try BlockedProgram()
    try program.send(signal)
    program.process.waitForEnd()
    #expect(program.process.terminationStatus == status && program.process.terminationReason == .exit)
  }

  @Test("Two signals at once are one", .shows("^C"), arguments: endings)
  func double(signal: Int32, status: Int32) throws {
    let program = try BlockedProgram()
    try program.send(signal)
    try program.send(signal)
    let end = program.drain()
    #expect(end.bytes > 1_000 && end.status == status)
  }

  @Test("The second signal leaves at once", .shows("^C"), arguments: endings)
  func second(signal: Int32, status: Int32) throws {
    let program = try BlockedProgram()
    while program.process.isRunning {
      try program.send(signal)
      poll(nil, 0, 1)
    }
    #expect(program.process.terminationStatus == status && program.process.terminationReason == .exit)
  }

  @Test("SIGQUIT ends it at once, as it ends any program", .shows("^C"))
  func quit() throws {
    // Programs that are started from here then leave no core.
    var none = rlimit()
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    let program = try BlockedProgram()
    kill(program.process.processIdentifier, SIGQUIT)
    program.process.waitForEnd()
    #expect(program.process.terminationReason == .uncaughtSignal && program.process.terminationStatus == SIGQUIT)
  }

  @Test("Nothing is pending before a signal has come")
  func none() { #expect(InterruptHandler.pending == nil) }
}
