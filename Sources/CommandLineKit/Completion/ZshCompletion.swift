/// The completion script for zsh: `_arguments` specifications from the declarations.
package struct ZshCompletion {
  package let program: CommandDeclaration
  package let commands: [CommandDeclaration]

  package var script: String {
    """
    #compdef audiopipe
    # zsh completion for audiopipe, written by 'audiopipe completion zsh'.

    \(commands.flatMap { command in command.options.compactMap { keyedFunction(for: $0, in: command) } }
      .joined(separator: "\n"))_audiopipe() {
      local curcontext=$curcontext state line ret=1
      local -a subcommands
      typeset -A opt_args
      subcommands=(
    \(commands.map { "    " + shellQuoted("\($0.name):\($0.summary)") }.joined(separator: "\n"))
      )
      _arguments -C \\
    \(program.options.map { "    " + specification($0, in: program) + " \\" }.joined(separator: "\n"))
        '1: :->subcommand' '*:: :->arguments' && ret=0
      case $state in
        subcommand) _describe -t subcommands subcommand subcommands && ret=0 ;;
        arguments)
          case $words[1] in
    \(commands.map(branch).joined(separator: "\n"))
          esac
          ;;
      esac
      return ret
    }

    if [[ $funcstack[1] == _audiopipe ]]; then
      _audiopipe "$@"
    else
      compdef _audiopipe audiopipe
    fi

    """
  }

  private func branch(_ command: CommandDeclaration) -> String {
    let operands: String =
      switch command.operands?.kind {
      case .files: " '*:input:_files'"
      case .choice(let words): " '1:\(words.joined(separator: "|")):(\(words.joined(separator: " ")))'"
      case .verb(let words, let beforeFile):
        " '1:\(words.joined(separator: "|")):(\(words.joined(separator: " ")))'"
          + " '2:input:{[[ $line[1] == (\(beforeFile.joined(separator: "|"))) ]] && _files}'"
      case .text: " '*:input:'"
      case nil: ""
      }
    let options = command.options.map { "            " + specification($0, in: command) }.joined(
      separator: " \\\n")
    return
      "        \(command.name))\n          _arguments -s -S \\\n\(options)\(operands) && ret=0\n          ;;"
  }

  private func specification(_ option: OptionDeclaration, in command: CommandDeclaration) -> String {
    let names = ["--" + option.name] + (option.short.map { ["-\($0)"] } ?? [])
    let takesValue = option.value != .none
    let excluded = option.isRepeatable ? "*" : "(\(names.joined(separator: " ")))"
    let tail = shellQuoted(
      "[\(Self.escaped(option.help))]"
        + (takesValue ? ":\(Self.escaped(option.placeholder)):\(action(option, in: command))" : ""))
    return names.map { name in
      let form = name.hasPrefix("--") ? takesValue ? name + "=" : name : takesValue ? name + "+" : name
      return shellQuoted(excluded + form) + tail
    }.joined(separator: " ")
  }

  private func action(_ option: OptionDeclaration, in command: CommandDeclaration) -> String {
    switch option.value {
    case .none: ""
    case .text, .integer, .number: " "
    case .choice(let words): "(\(words.joined(separator: " ")))"
    case .choices(let words): "_sequence compadd - \(words.joined(separator: " "))"
    case .file: "_files"
    case .directory: "_files -/"
    case .keyed: functionName(option, in: command)
    }
  }

  private func keyedFunction(for option: OptionDeclaration, in command: CommandDeclaration) -> String? {
    guard case .keyed(let kind) = option.value else { return nil }
    let head =
      switch kind.head {
      case .file: (kind.isNumbered ? "compset -P '<->=' && " : "") + "_files -S ''"
      case .choice(let words): "compadd -S '' -- \(words.joined(separator: " "))"
      case .number(_, let unit): "_message '\(unit)'"
      }
    let values = kind.keys.compactMap { key -> String? in
      guard case .choice(let words) = key.value else { return nil }
      return "  if compset -P '\(key.name)='; then compadd -- \(words.joined(separator: " ")); return; fi\n"
    }
    let keys = kind.keys.map { $0.value == .none ? $0.name : $0.name + "=" }.joined(separator: " ")
    return """
      \(functionName(option, in: command))() {
        if ! compset -P '*:'; then \(head); return; fi
      \(values.joined())  compadd -S '' -- \(keys)
      }

      """
  }

  private func functionName(_ option: OptionDeclaration, in command: CommandDeclaration) -> String {
    "_audiopipe_\(command.name)_" + String(option.name.map { $0 == "-" ? "_" : $0 })
  }

  /// Escapes characters that would end a description or a message.
  private static func escaped(_ text: String) -> String {
    String(text.flatMap { ":[]\\".contains($0) ? ["\\", $0] : [$0] })
  }
}
