import CommandTestSupport
import Glibc
import TestSupport
import Testing

@testable import CommandLineKit
@testable import Commands

@Suite("Console", .timeLimit(.minutes(10)))
struct ConsoleTests {
  private func log(_ level: LogLevel, _ format: LogFormat, style: TerminalStyle = .plain) -> (Log, Lines) {
    let lines = Lines()
    let errors = ErrorStream(sink: { lines.append($0) })
    return (
      Log(level: level, format: format, style: style, errors: errors, secondsSince1970: { 951_782_399 }),
      lines
    )
  }

  @Test("a log writes its level and the more important ones", .shows("log"), arguments: LogLevel.allCases)
  func levels(level: LogLevel) {
    let (log, lines) = log(level, .text)
    for each in LogLevel.allCases { log.write(each, "x") }
    let all = ["audiopipe: error: x\n", "audiopipe: warning: x\n", "audiopipe: x\n", "audiopipe: debug: x\n"]
    #expect(lines.all == Array(all[...level.rawValue]))
  }

  @Test("A message below the level is not even made")
  func lazyMessages() {
    let (log, _) = log(.error, .text)
    var count = 0
    func message() -> String {
      count += 1
      return "x"
    }
    log.debug(message())
    #expect(count == 0)
    log.error(message())
    #expect(count == 1)
  }

  @Test("A message as JSON is one object a line, with the time in UTC")
  func jsonLog() {
    let (log, lines) = log(.info, .json)
    log.warning("a \"b\"\nc")
    #expect(
      lines.all == [#"{"time":"2000-02-28T23:59:59Z","level":"warning","message":"a \"b\"\nc"}"# + "\n"])
  }

  @Test("A message stays one line, and its colour is never the only signal", .shows("colour"))
  func styledLog() {
    let (log, lines) = log(.info, .text, style: TerminalStyle(isColoured: true))
    log.error("a\nb")
    #expect(lines.all == ["audiopipe: \u{1B}[1;31merror:\u{1B}[0m a\\nb\n"])
  }

  @Test(
    "Colour needs a terminal that is not dumb, and no NO_COLOR", .shows("colour"),
    arguments: [
      (true, ["TERM": "xterm"], true), (false, ["TERM": "xterm"], false), (true, ["TERM": "dumb"], false),
      (true, [:], false), (true, ["TERM": ""], false), (true, ["TERM": "xterm", "NO_COLOR": "1"], false),
      (true, ["TERM": "xterm", "NO_COLOR": ""], true),
    ])
  func colour(isTerminal: Bool, environment: [String: String], expected: Bool) {
    let style = TerminalStyle(isTerminal: isTerminal, environment: { environment[$0] })
    #expect(style.isColoured == expected)
    #expect(style.good("x") == (expected ? "\u{1B}[32mx\u{1B}[0m" : "x"))
  }

  @Test("A line goes above the status line, which is drawn again below it")
  func statusLine() {
    let lines = Lines()
    let errors = ErrorStream(sink: { lines.append($0) })
    errors.writeLine("one")
    errors.showStatus("50 %")
    errors.showStatus("50 %")
    errors.writeLine("two")
    errors.keepStatus()
    errors.keepStatus()
    errors.writeLine("three")
    #expect(lines.all == ["one\n", "\r\u{1B}[K50 %", "\r\u{1B}[Ktwo\n50 %", "\n", "three\n"])
  }

  @Test("A closed stdout is a quiet end, a full disk is exit code 74")
  func standardOutput() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    #expect(throws: BrokenPipe.self) { try StandardOutput(descriptor: ends[1]).write("x") }
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    #expect(
      failure { try StandardOutput(descriptor: full).write("x") }
        == CommandFailure(
          .inputOutput, "cannot write to stdout: No space left on device; make room or send it elsewhere"))
  }

  @Test("The exit codes are those of sysexits.h and of signals", .shows("exit codes"))
  func exitCodes() {
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 64, 65, 66, 69, 73, 74, 76, 77, 78, 129, 130, 143])
    #expect(ExitCode.interrupted.rawValue == 128 + SIGINT && ExitCode.terminated.rawValue == 128 + SIGTERM)
  }
}
