/// The completion script for fish: one `complete` per subcommand and option.
package struct FishCompletion {
  package let program: CommandDeclaration
  package let commands: [CommandDeclaration]

  package var script: String {
    var lines = [
      "# fish completion for audiopipe, written by 'audiopipe completion fish'.", "", Self.functions,
      "complete -c audiopipe -f",
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
      case .text, nil: break
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
    case .choices(let words): " -x -a \(quoted("(__audiopipe_list \(words.joined(separator: " ")))"))"
    case .file: " -r -F"
    case .directory: " -x -a '(__fish_complete_directories)'"
    case .keyed(let kind):
      " -x -a \(quoted("(__audiopipe_keyed \(Self.head(kind)) \(Self.keys(kind).joined(separator: " ")))"))"
    }
  }

  private static func head(_ kind: KeyValueSyntax) -> String {
    switch kind.head {
    case .file: kind.isNumbered ? "number=file" : "file"
    // No completion exists for a number.
    case .number: "\"\""
    case .choice(let words): "\"\(words.joined(separator: " "))\""
    }
  }

  private static func keys(_ kind: KeyValueSyntax) -> [String] {
    kind.keys.flatMap { key in
      switch key.value {
      case .none: [key.name]
      case .choice(let words): words.map { "\(key.name)=\($0)" }
      default: [key.name + "="]
      }
    }
  }

  /// Source of the fish functions. fish itself offers files behind every `:` and `=`, even if there are none.
  private static let functions = #"""
    # The value that is being typed, without the option before it.
    function __audiopipe_value
        commandline -ct | string replace -r -- '^--[^=]*=' ''
    end

    # The words of a list that do not stand in it yet, behind those that do.
    function __audiopipe_list
        set -l start (__audiopipe_value | string match -r -- '^.*,')
        for word in $argv
            string match -q -- "*,$word,*" ",$start"; or echo "$start$word"
        end
    end

    # What can stand in a value with keys: its head ($argv[1]: file, number=file, or words), behind it $argv[2..].
    function __audiopipe_keyed
        set -l value (__audiopipe_value)
        if set -l start (string match -r -- '^.*:' $value)
            string unescape -- $start | read -l start
            printf '%s\n' "$start"$argv[2..]
            return
        end
        switch $argv[1]
            case file
                complete -C "'' $value"
            case number=file
                set -l number (string match -r -- '^\d+=' $value); or return
                complete -C "'' "(string replace -- $number '' $value) | string replace -r -- '^' $number
            case '*'
                string split -n ' ' -- $argv[1]
        end
    end

    """#

  /// Returns a text between single quotes; fish reads `\'` inside them.
  private func quoted(_ text: String) -> String {
    "'" + String(text.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] }) + "'"
  }
}
