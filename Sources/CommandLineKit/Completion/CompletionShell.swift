/// The shells with a completion script.
package enum CompletionShell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// Returns the script for these subcommands, generated from their declarations.
  package func script(program: CommandDeclaration, commands: [CommandDeclaration]) -> String {
    switch self {
    case .bash: BashCompletion(program: program, commands: commands).script
    case .zsh: ZshCompletion(program: program, commands: commands).script
    case .fish: FishCompletion(program: program, commands: commands).script
    }
  }
}

/// Returns a text between single quotes, as every shell reads it.
package func shellQuoted(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
