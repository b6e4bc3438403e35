/// The text of `--help`, from the declarations: examples first.
package struct HelpText {
  /// Columns of the text: those of the terminal, from 40 to 100, since long lines are hard to read.
  package let width: Int
  package let style: TerminalStyle

  package init(columnCount: Int, style: TerminalStyle) {
    width = min(100, max(40, columnCount))
    self.style = style
  }

  /// Returns the help of one command.
  package func text(of command: CommandDeclaration) -> String {
    var text = examples(command.examples)
    let words = ["\(command.invocation) [OPTION]...", command.operands?.placeholder].compactMap { $0 }
    text += usage(words.joined(separator: " "))
    text += TextWrapper.paragraph(command.summary + ".", indentation: 0, width: width)
    for note in command.notes { text += "\n" + TextWrapper.paragraph(note, indentation: 0, width: width) }
    var groups: [String] = []
    for option in command.options where !groups.contains(option.group) { groups.append(option.group) }
    for group in groups {
      text += "\n" + style.heading(group + ":") + "\n"
      for option in command.options where option.group == group { text += line(option) }
    }
    return text
  }

  /// Returns the help of the program: its subcommands.
  package func overview(of commands: [CommandDeclaration], program: CommandDeclaration) -> String {
    var text = examples(Array(commands.compactMap(\.examples.first).prefix(3)))
    text += usage("audiopipe SUBCOMMAND [OPTION]... [OPERAND]...")
    text += TextWrapper.paragraph(program.summary + ".", indentation: 0, width: width)
    text += "\n" + style.heading("Subcommands:") + "\n"
    let column = (commands.map(\.name.count).max() ?? 0) + 4
    for command in commands {
      text += TextWrapper.definition("  " + command.name, command.summary, column: column, width: width)
    }
    text += "\n" + style.heading("Common:") + "\n"
    for option in program.options { text += line(option) }
    for note in program.notes { text += "\n" + TextWrapper.paragraph(note, indentation: 0, width: width) }
    return text
  }

  private func examples(_ lines: [String]) -> String {
    style.heading("Examples:") + "\n" + lines.map { "  " + wrapped(example: $0) + "\n" }.joined()
  }

  private func usage(_ syntax: String) -> String {
    let title = "Usage:"
    let lines = TextWrapper.definition(title, syntax, column: title.count + 1, width: width)
    return "\n" + style.heading(title) + lines.dropFirst(title.count) + "\n"
  }

  /// Wraps a long example with backslashes, so that a user can copy it.
  private func wrapped(example: String) -> String {
    TextWrapper.wrap(example, width: width - 8).joined(separator: " \\\n      ")
  }

  private func line(_ option: OptionDeclaration) -> String {
    let ending = option.defaultText.map { " (default: \($0))" } ?? ""
    return TextWrapper.definition(
      "  " + option.syntax, option.help + ending, column: min(30, width / 2), width: width)
  }
}
