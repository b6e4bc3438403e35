import CommandTestSupport
import Foundation
import TestSupport
import Testing

@testable import CommandLineKit
@testable import Commands

@Suite("Audiopipe", .timeLimit(.minutes(10)))
struct AudiopipeTests {
  @Test(
    "a wrong command line is one sentence on stderr and exit code 64",
    arguments: [
      ([], "a subcommand is missing; 'audiopipe --help' lists them"),
      (["--json"], "a subcommand is missing before its options; 'audiopipe --help' lists them"),
      (["dcotor"], "unknown subcommand 'dcotor'; did you mean 'doctor'?"),
      (["xyzzy"], "unknown subcommand 'xyzzy'; 'audiopipe --help' lists them"),
      (["--hepl"], "unknown option '--hepl'; did you mean '--help'?"),
      (
        ["doctor", "x"],
        "'audiopipe doctor' takes no operand, but was given 'x'; 'audiopipe doctor --help' shows how"
      ),
      (["completion"], "'audiopipe completion' needs bash|zsh|fish; 'audiopipe completion --help' shows how"),
      (["completion", "bsh"], "'audiopipe completion' cannot take 'bsh'; did you mean 'bash'?"),
      (["completion", "-qv", "bash"], "--quiet and --verbose contradict each other; give one of them"),
    ])
  func mistakes(words: [String], sentence: String) throws {
    let captured = try CapturedConsole()
    #expect(Audiopipe.run(words, console: captured.console) == .usage)
    #expect(captured.lines.all == ["audiopipe: error: \(sentence)\n"])
    #expect(captured.output.isEmpty)
  }

  @Test(
    "--help works without operands and begins with examples",
    arguments: [["--help"], ["-h"], ["doctor", "--help"], ["completion", "-h"]])
  func help(words: [String]) throws {
    let captured = try CapturedConsole()
    #expect(Audiopipe.run(words, console: captured.console) == .success)
    #expect(captured.output.hasPrefix("Examples:\n") && captured.lines.all.isEmpty)
  }

  @Test(
    "help and a subcommand's name print that subcommand's --help", .shows("help"),
    arguments: [["doctor"], ["rtp", "send"], []])
  func helpAsSubcommand(words: [String]) throws {
    let (asked, expected) = (try CapturedConsole(), try CapturedConsole())
    #expect(Audiopipe.run(["help"] + words, console: asked.console) == .success)
    #expect(Audiopipe.run(words + ["--help"], console: expected.console) == .success)
    #expect(asked.output == expected.output && asked.output.hasPrefix("Examples:\n") && asked.lines.all.isEmpty)
  }

  @Test("--version is one line, with --json an object of linked libraries", .shows("version"))
  func version() throws {
    for words in [["--version"], ["doctor", "--version"], ["completion", "--version"]] {
      let captured = try CapturedConsole()
      #expect(Audiopipe.run(words, console: captured.console) == .success)
      #expect(captured.output == "audiopipe \(Version.number)\n")
    }
    for words in [["--version", "--json"], ["--json", "--version"], ["completion", "--json", "--version"]] {
      let captured = try CapturedConsole()
      #expect(Audiopipe.run(words, console: captured.console) == .success)
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(captured.output.utf8)) as? [String: Any])
      #expect(object["schema"] as? Int == 1 && object["version"] as? String == Version.number)
      let libraries = try #require(object["libraries"] as? [String: String])
      #expect(
        Set(libraries.keys) == ["opus", "libsamplerate", "soxr", "libsndfile", "fftw", "libebur128", "openssl", "alsa"])
      for version in libraries.values { #expect(version.first?.isNumber == true) }
    }
  }

  @Test("the manual page has every command, option and exit code", .shows("manual"))
  func manual() throws {
    let captured = try CapturedConsole()
    #expect(Audiopipe.run(["manual"], console: captured.console) == .success)
    let page = captured.output.replacingOccurrences(of: "\\-", with: "-")
    for command in CommandTable.commands.map(\.declaration) {
      #expect(page.contains(".SS audiopipe \(command.name)\n"))
      for option in command.options { #expect(page.contains("--\(option.name)\\fR"), "\(command.name) \(option.name)") }
    }
    for code in ExitCode.allCases { #expect(page.contains(".TP\n\(code.rawValue)\n")) }
    // No line of text begins as a macro does.
    let macros: Set<Substring> = ["TH", "SH", "SS", "TP", "PP", "B", "br", "nf", "fi", "RS", "RE"]
    for line in page.split(separator: "\n") where line.hasPrefix(".") {
      #expect(macros.contains(line.dropFirst().prefix { $0.isLetter }), "\(line)")
    }
  }

  @Test("bench measures at least one source, user and hour in an hour", .shows("bench"))
  func bench() throws {
    let captured = try CapturedConsole()
    #expect(Audiopipe.run(["bench", "--json"], console: captured.console) == .success)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(captured.output.utf8)) as? [String: Int])
    #expect(
      Set(object.keys).subtracting(["schema"]) == [
        "sources_mixed", "users_decoded", "pitch_hours_per_hour", "file_hours_per_hour",
      ])
    #expect(object.values.allSatisfy { $0 >= 1 })
  }

  @Test("completion --json is one object that holds the same script", arguments: CompletionShell.allCases)
  func completionAsJSON(shell: CompletionShell) throws {
    let (text, json) = (try CapturedConsole(), try CapturedConsole())
    #expect(Audiopipe.run(["completion", shell.rawValue], console: text.console) == .success)
    #expect(Audiopipe.run(["completion", shell.rawValue, "--json"], console: json.console) == .success)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(object["schema"] as? Int == 1 && object["shell"] as? String == shell.rawValue)
    #expect(object["script"] as? String == text.output)
  }

  @Test("A closed stdout ends quietly with exit code 0", .shows("closed pipe"))
  func brokenPipe() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let captured = try CapturedConsole()
    let console = Console(
      output: StandardOutput(descriptor: ends[1]), outputStyle: .plain, errors: captured.console.errors,
      errorStyle: .plain, isInteractive: false, level: .info, format: .text)
    #expect(Audiopipe.run(["completion", "bash"], console: console) == .success)
    #expect(captured.lines.all.isEmpty)
  }

  @Test("-v reports debug messages on stderr as text or JSON", .shows("log"))
  func verbose() throws {
    let captured = try CapturedConsole()
    #expect(
      Audiopipe.run(["completion", "fish", "-v", "--log-format=json"], console: captured.console) == .success)
    let line = try #require(captured.lines.all.first)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
    #expect(object["level"] == "debug" && object["message"]?.hasSuffix("of completion for fish") == true)
  }

  @Test(
    "usage errors are JSON objects if the log format is JSON", .shows("log"),
    arguments: [
      ["process", "a.wav", "--gain", "x", "--log-format", "json"],
      ["process", "a.wav", "--log-format=json", "--gian", "3"],
      ["proces", "--log-format", "json"],
    ])
  func usageAsJSON(words: [String]) throws {
    let captured = try CapturedConsole()
    #expect(Audiopipe.run(words, console: captured.console) == .usage)
    let line = try #require(captured.lines.all.first)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
    #expect(captured.lines.all.count == 1 && object["level"] == "error" && object["message"]?.isEmpty == false)
  }

  @Test(
    "the version number is extracted from a library's version text",
    arguments: [
      ("libopus 1.3.1", "1.3.1"), ("libsamplerate-0.2.2 (c) 2002-2008 Erik", "0.2.2"),
      ("libsndfile-1.2.0", "1.2.0"),
      ("libsoxr-0.1.3", "0.1.3"), ("1.4-rc1 x", "1.4-rc1"), ("unknown", "unknown"),
    ])
  func versionNumbers(text: String, number: String) {
    #expect(LinkedLibrary.number(in: text) == number)
  }
}
