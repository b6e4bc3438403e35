/// The completion script for bash: tables from the declarations, and one function that reads them.
package struct BashCompletion {
  package let program: CommandDeclaration
  package let commands: [CommandDeclaration]

  package var script: String {
    """
    # bash completion for audiopipe, written by 'audiopipe completion bash'.

    # What can stand behind subcommand $1 (empty: none yet) and its word $2 (empty: none yet) besides values.
    _audiopipe_words() {
      case $1 in
    \(([program] + commands).map(words).joined(separator: "\n"))
      esac
    }

    # What the value of option $2 of subcommand $1 is; option:key asks for the value of a key.
    _audiopipe_value() {
      kind= words= keys=
      case "$1 $2" in
    \(([program] + commands).flatMap { command in command.options.compactMap { value(of: $0, in: command) } }
      .joined(separator: "\n"))
      esac
    }

    \(Self.function)
    complete -F _audiopipe audiopipe

    """
  }

  private func words(of command: CommandDeclaration) -> String {
    var options: [String] = []
    for option in command.options {
      options.append("--" + option.name)
      if let short = option.short { options.append("-\(short)") }
    }
    let operands: String =
      if command.name.isEmpty { " kind=choice words='\(commands.map(\.name).joined(separator: " "))'" } else {
        switch command.operands?.kind {
        case .files: " kind=file words="
        case .choice(let words): " kind=choice words='\(words.joined(separator: " "))'"
        case .verb(let words, let beforeFile):
          " kind= words=; case $2 in ('') kind=choice words='\(words.joined(separator: " "))' ;; "
            + "(\(beforeFile.joined(separator: "|"))) kind=file ;; esac"
        case .text, nil: " kind= words="
        }
      }
    return "    \(shellQuoted(command.name))) options='\(options.joined(separator: " "))'\(operands) ;;"
  }

  private func value(of option: OptionDeclaration, in command: CommandDeclaration) -> String? {
    guard let table = Self.table(option.value) else { return nil }
    let names = ["--" + option.name] + (option.short.map { ["-\($0)"] } ?? [])
    var lines = [
      "    " + names.map { "\"\(command.name) \($0)\"" }.joined(separator: " | ") + ") \(table) ;;"
    ]
    if case .keyed(let kind) = option.value {
      for key in kind.keys {
        guard case .choice = key.value, let table = Self.table(key.value) else { continue }
        lines.append("    \"\(command.name) --\(option.name):\(key.name)\") \(table) ;;")
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func table(_ value: ValueKind) -> String? {
    switch value {
    case .none: nil
    case .text, .integer, .number: "kind=text"
    case .choice(let words): "kind=choice words='\(words.joined(separator: " "))'"
    case .choices(let words): "kind=list words='\(words.joined(separator: " "))'"
    case .file: "kind=file"
    case .directory: "kind=directory"
    case .keyed(let kind):
      "kind=\(kind.isNumbered ? "numbered" : "keyed") keys='\(kind.keys.map { $0.value == .none ? $0.name : $0.name + "=" }.joined(separator: " "))'"
        + Self.headWords(kind.head)
    }
  }

  private static func headWords(_ head: KeyValueSyntax.Head) -> String {
    switch head {
    case .file: ""
    case .choice(let words): " words='\(words.joined(separator: " "))'"
    // No completion exists for a number.
    case .number: " words=' '"
    }
  }

  /// Source of the bash function.
  ///
  /// Readline breaks words at `=` and `:`; the function joins them again, and cuts off the part that readline keeps at
  /// the end.
  private static let function = #"""
    # Adds the words that begin with $token, each behind $1.
    _audiopipe_add() {
      local start=$1 candidate
      shift
      for candidate; do
        candidate=$start$candidate
        [[ $candidate == "$token"* ]] && COMPREPLY+=("${candidate#"$kept"}")
      done
    }

    # Adds the files (or with -d the folders) that begin with $2, each behind $1.
    _audiopipe_add_files() {
      local file
      compopt -o filenames 2>/dev/null
      while IFS= read -r file; do
        COMPREPLY+=("${1#"$kept"}$file")
      done < <(compgen "$3" -- "$2")
    }

    _audiopipe() {
      local -a joined=()
      local index word token kept current command= previous= ended= option= value= start= last= base=
      local options= kind= words= keys= verb=
      COMPREPLY=()
      for ((index = 0; index <= COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        if ((${#joined[@]} > 1)) && [[ $word == [=:]* || ${joined[-1]} == *[=:] ]]; then
          joined[-1]+=$word
        else
          joined+=("$word")
        fi
      done
      ((${#joined[@]} > 1)) || return 0
      token=${joined[-1]}
      current=${COMP_WORDS[COMP_CWORD]}
      if [[ $current == [=:] ]]; then kept=$token; else kept=${token%"$current"}; fi
      for ((index = 1; index < ${#joined[@]} - 1; index++)); do
        word=${joined[index]}
        if [[ -z $command ]]; then
          if [[ $word != -* ]]; then command=$word; fi
        elif [[ -z $verb && ( -n $ended || $word != -* ) ]]; then
          kind=
          if [[ -z $ended && $previous == -* && $previous != *=* ]]; then _audiopipe_value "$command" "$previous"; fi
          # The value of an option is no word of its own.
          if [[ -z $kind ]]; then verb=$word; fi
        fi
        if [[ $word == -- ]]; then ended=1; fi
        previous=$word
      done
      kind= words= keys=

      if [[ -z $ended && $token == --*=* ]]; then
        option=${token%%=*} value=${token#*=} start=$option=
      elif [[ -z $ended && $previous == -* && $previous != *=* ]]; then
        option=$previous value=$token
      fi
      [[ -n $option ]] && _audiopipe_value "$command" "$option"
      if [[ -z $kind ]]; then
        [[ -n $start ]] && return 0
        _audiopipe_words "$command" "$verb"
        if [[ -z $ended && $token == -* ]]; then
          _audiopipe_add "" $options
          return 0
        fi
        value=$token
      fi

      case $kind in
        choice) _audiopipe_add "$start" $words ;;
        file) _audiopipe_add_files "$start" "$value" -f ;;
        directory) _audiopipe_add_files "$start" "$value" -d ;;
        list)
          base=${value%"${value##*,}"}
          for word in $words; do
            [[ ,$base == *,$word,* ]] || _audiopipe_add "$start$base" "$word"
          done
          ;;
        keyed | numbered)
          last=${value##*:} base=${value%"${value##*:}"}
          if [[ -z $base && $kind == numbered ]]; then
            [[ $value == *=* ]] && _audiopipe_add_files "$start${value%%=*}=" "${value#*=}" -f
          elif [[ -z $base && -z $words ]]; then
            _audiopipe_add_files "$start" "$value" -f
          elif [[ -z $base ]]; then
            _audiopipe_add "$start" $words
          elif [[ $last == *=* ]]; then
            _audiopipe_value "$command" "$option:${last%%=*}"
            _audiopipe_add "$start$base${last%%=*}=" $words
          else
            compopt -o nospace 2>/dev/null
            _audiopipe_add "$start$base" $keys
          fi
          ;;
      esac
      return 0
    }
    """#
}
