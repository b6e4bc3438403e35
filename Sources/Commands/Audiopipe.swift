import AudioFiles
package import CommandLineKit
import Engine
import Glibc
import OfflineProcessing
import Platform

/// The program: finds the subcommand, runs it, and turns each error into a sentence and an exit code.
package enum Audiopipe {
  /// Runs the arguments of the process and ends it.
  package static func main() {
    StandardDescriptors.reserve()
    LibraryOutputFilter.silence()
    ProgramGroups.prepare()
    InterruptHandler.install(endingPrograms: { ProgramGroups.endAll() })
    let console = Console()
    let code = run(Argument.words(of: CommandLine.unsafeArgv, count: CommandLine.argc), console: console)
    exit(code.rawValue)
  }

  /// Runs a command line without the program's name.
  package static func run(_ words: [String], console: Console) -> ExitCode {
    var console = console
    do {
      let code = try dispatch(words, console: &console)
      // A job that was asked to leave has finished its files, but not its work.
      return code == .success ? InterruptHandler.pending ?? code : code
    } catch is BrokenPipe {
      return .success
    } catch let failure as CommandFailure {
      guard !failure.isQuiet else { return .success }
      console.log.error(failure.sentence)
      return failure.exitCode
    } catch {
      // No caller gave it a better name: an error from below is a failed call to the system.
      console.log.error("\(error)")
      return .inputOutput
    }
  }

  private static func dispatch(_ words: [String], console: inout Console) throws -> ExitCode {
    // Faults in the words themselves are reported in this form, too.
    console = console.with(level: .info, format: CommonOptions.logFormat(in: words))
    guard let name = words.first else {
      guard access("/proc/self/cmdline", R_OK) == 0 else {
        throw CommandFailure(.unavailable, "the arguments cannot be read; mount /proc, from which they come")
      }
      throw CommandFailure.usage("a subcommand is missing; 'audiopipe --help' lists them")
    }
    try Argument.check(name)
    // As in many programs, 'help process' is 'process --help'.
    if name == "help" {
      let topic = words.dropFirst().filter { !["help", "-h", "--help"].contains($0) }
      return try dispatch(topic + ["--help"], console: &console)
    }
    guard !name.hasPrefix("-") else { return try runProgram(words, console: console) }
    guard let entry = CommandTable.commands.first(where: { $0.declaration.name == name }) else {
      let names = CommandTable.commands.map(\.declaration.name) + ["help"]
      throw CommandFailure.usage(
        "unknown subcommand '\(name)'"
          + Suggestion.ending(for: name, among: names, otherwise: "; 'audiopipe --help' lists them"))
    }
    let parser = ArgumentParser(command: entry.declaration)
    let parsed = try parser.parse(Array(words.dropFirst()))
    if parsed.has("help") {
      try console.output.write(helpText(console).text(of: entry.declaration))
      return .success
    }
    if parsed.has("version") {
      try console.output.writeLine(Version.text(asJSON: parsed.has("json")))
      return .success
    }
    let common = try CommonOptions(parsed)
    console = console.with(level: common.logLevel, format: common.logFormat)
    try parser.checkOperands(of: parsed)
    return try entry.run(parsed, console)
  }

  /// Runs the options before any subcommand.
  private static func runProgram(_ words: [String], console: Console) throws -> ExitCode {
    let parser = ArgumentParser(command: CommandTable.program)
    let parsed = try parser.parse(words)
    if parsed.has("help") {
      let commands = CommandTable.commands.map(\.declaration)
      try console.output.write(helpText(console).overview(of: commands, program: CommandTable.program))
    } else if parsed.has("version") {
      try console.output.writeLine(Version.text(asJSON: parsed.has("json")))
    } else {
      throw CommandFailure.usage("a subcommand is missing before its options; 'audiopipe --help' lists them")
    }
    return .success
  }

  private static func helpText(_ console: Console) -> HelpText {
    HelpText(columnCount: Console.columnCount(of: 1), style: console.outputStyle)
  }
}
