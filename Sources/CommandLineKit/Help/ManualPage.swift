/// The manual page of a program, from its declarations.
///
/// Source: groff_man(7).
package struct ManualPage {
  private let program: CommandDeclaration
  private let commands: [CommandDeclaration]
  private let version: String

  package init(program: CommandDeclaration, commands: [CommandDeclaration], version: String) {
    self.program = program
    self.commands = commands
    self.version = version
  }

  /// The page in the man macros of roff.
  package var text: String {
    var lines = [
      ".TH AUDIOPIPE 1 \"\" \"audiopipe \(version)\" \"User Commands\"", ".SH NAME",
      "audiopipe \\- \(Self.escaped(program.summary.lowercasedFirst))", ".SH SYNOPSIS",
    ]
    for command in commands {
      let operands = command.operands.map { " " + Self.escaped($0.placeholder) } ?? ""
      lines += [".B \(Self.escaped(command.invocation))", "[\\fIOPTION\\fR]...\(operands)", ".br"]
    }
    lines.append(".SH COMMANDS")
    for command in commands {
      lines += [".SS \(Self.escaped(command.invocation))", Self.escaped(command.summary + ".")]
      for note in command.notes { lines += [".PP", Self.escaped(note)] }
      for option in command.options { lines += entry(option) }
      lines += [".PP", "Examples:"]
      for example in command.examples { lines += [".PP", ".nf", ".RS", Self.escaped(example), ".RE", ".fi"] }
    }
    lines += [".SH \"EXIT STATUS\""]
    for code in ExitCode.allCases { lines += [".TP", "\(code.rawValue)", Self.escaped(code.meaning)] }
    return lines.joined(separator: "\n") + "\n"
  }

  private func entry(_ option: OptionDeclaration) -> [String] {
    let value = option.placeholder.isEmpty ? "" : " \\fI\(Self.escaped(option.placeholder))\\fR"
    let short = option.short.map { "\\fB\\-\($0)\\fR, " } ?? ""
    let ending = option.defaultText.map { " (default: \($0))" } ?? ""
    return [
      ".TP", "\(short)\\fB\\-\\-\(Self.escaped(option.name))\\fR\(value)", Self.escaped(option.help + ending + "."),
    ]
  }

  /// Dashes are those of options, and a line must not begin as a macro does.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      default: escaped.append(character)
      }
    }
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
