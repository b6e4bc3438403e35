import CommandLineKit
import JSON

/// `audiopipe completion bash|zsh|fish`: prints a completion script.
enum CompletionCommand {
  static let declaration = CommandDeclaration(
    name: "completion",
    summary: "Print a completion script for a shell",
    examples: [
      "source <(audiopipe completion bash)",
      "audiopipe completion zsh > ~/.zfunc/_audiopipe",
      "audiopipe completion fish > ~/.config/fish/completions/audiopipe.fish",
    ],
    notes: [
      "For bash, add the first example to ~/.bashrc. For zsh, the script's folder must be in fpath before compinit is called."
    ],
    operands: CommandDeclaration.Operands(
      kind: .choice(CompletionShell.allCases.map(\.rawValue)), placeholder: "bash|zsh|fish", minimum: 1,
      maximum: 1),
    options: CommonOptions.declarations)

  /// Prints the completion script.
  ///
  /// - Throws: as `StandardOutput.write` does.
  static func run(_ parsed: ParsedArguments, console: Console) throws -> ExitCode {
    guard let shell = parsed.operands.first.flatMap(CompletionShell.init(rawValue:)) else {
      preconditionFailure("the operand was checked")
    }
    let script = shell.script(
      program: CommandTable.program, commands: CommandTable.commands.map(\.declaration))
    console.log.debug("writing \(script.utf8.count) bytes of completion for \(shell.rawValue)")
    guard parsed.has("json") else {
      try console.output.write(script)
      return .success
    }
    var json = JSONWriter()
    json.object { json in
      json.field("schema", 1)
      json.field("shell", shell.rawValue)
      json.field("script", script)
    }
    try console.output.writeLine(json.text)
    return .success
  }
}
