import CommandLineKit
import JSON

/// `audiopipe manual`: prints the manual page.
enum ManualCommand {
  static let declaration = CommandDeclaration(
    name: "manual",
    summary: "Print the manual page in roff",
    examples: ["audiopipe manual | man -l -", "audiopipe manual > /usr/local/share/man/man1/audiopipe.1"],
    options: CommonOptions.declarations)

  /// Prints the page; with `--json`, as one object.
  ///
  /// - Throws: as `StandardOutput.write` does.
  static func run(_ parsed: ParsedArguments, console: Console) throws -> ExitCode {
    let page = ManualPage(
      program: CommandTable.program, commands: CommandTable.commands.map(\.declaration), version: Version.number)
    guard parsed.has("json") else {
      try console.output.write(page.text)
      return .success
    }
    var json = JSONWriter()
    json.object { json in
      json.field("schema", 1)
      json.field("page", page.text)
    }
    try console.output.writeLine(json.text)
    return .success
  }
}
