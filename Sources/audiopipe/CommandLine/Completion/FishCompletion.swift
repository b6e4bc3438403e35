/// The completion script for fish: one `complete` a subcommand and option.
struct FishCompletion {
  let program: CommandDeclaration
  let commands: [CommandDeclaration]

  var script: String {
    var lines = [
      "# fish completion for audiopipe, written by 'audiopipe completion fish'.", "complete -c audiopipe -f",
    ]
    lines += program.options.map { "complete -c audiopipe -n __fish_use_subcommand" + arguments(of: $0) }
    for command in commands {
      lines.append(
        "complete -c audiopipe -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.summary))")
      let start = "complete -c audiopipe -n \(quoted("__fish_seen_subcommand_from \(command.name)"))"
      switch command.operands?.kind {
      case .files: lines.append(start + " -F")
      case .choice(let words): lines.append(start + " -a \(quoted(words.joined(separator: " ")))")
      case .verb(let words, let beforeFile):
        func condition(_ rest: String) -> String {
          "complete -c audiopipe -n " + quoted("__fish_seen_subcommand_from \(command.name); and \(rest)")
        }
        let list = words.joined(separator: " ")
        lines.append(condition("not __fish_seen_subcommand_from \(list)") + " -a \(quoted(list))")
        lines.append(condition("__fish_seen_subcommand_from \(beforeFile.joined(separator: " "))") + " -F")
      case nil: break
      }
      lines += command.options.map { start + arguments(of: $0) }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func arguments(of option: OptionDeclaration) -> String {
    " -l \(option.name)" + (option.short.map { " -s \($0)" } ?? "") + value(option.value)
      + " -d \(quoted(option.help))"
  }

  private func value(_ kind: ValueKind) -> String {
    switch kind {
    case .none: ""
    case .text, .integer, .number: " -x"
    case .choice(let words): " -x -a \(quoted(words.joined(separator: " ")))"
    case .choices(let words): " -x -a \(quoted("(__fish_append , \(words.joined(separator: " ")))"))"
    case .file: " -r -F"
    case .directory: " -x -a '(__fish_complete_directories)'"
    case .keyed(let kind):
      switch kind.head {
      case .file: " -r -F"
      case .number: " -x"
      case .choice(let words):
        " -x -a \(quoted(words.flatMap { Self.starts($0, kind) }.joined(separator: " ")))"
      }
    }
  }

  /// A head alone, and with each of its keys.
  private static func starts(_ head: String, _ kind: KeyedKind) -> [String] {
    [head]
      + kind.keys.flatMap { key in
        switch key.value {
        case .none: ["\(head):\(key.name)"]
        case .choice(let words): words.map { "\(head):\(key.name)=\($0)" }
        default: ["\(head):\(key.name)="]
        }
      }
  }

  /// fish reads `\'` inside single quotes.
  private func quoted(_ text: String) -> String {
    "'" + String(text.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] }) + "'"
  }
}
