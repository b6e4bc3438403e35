extension ParsedArguments {
  /// Returns the command line of another command with the same values of options.
  ///
  /// - Parameters:
  ///   - command: command that declares the options, too.
  ///   - names: name of each option here and there.
  ///   - operands: operands of the other command.
  package func passing(
    _ names: [(own: String, other: String)], to command: CommandDeclaration, operands: [String]
  ) -> ParsedArguments {
    var result = ParsedArguments(command: command)
    for operand in operands { result.append(operand: operand) }
    for name in names {
      guard let option = command.option(named: name.other) else {
        preconditionFailure("--\(name.other) is not declared")
      }
      for value in values(of: name.own) { result.append(value, to: option) }
    }
    return result
  }

  /// Returns those of some options that were given, as on a command line, in the order of the declaration.
  package func text(of names: Set<String>) -> String {
    command.options.filter { names.contains($0.name) }.flatMap { option in
      values(of: option.name).map { value in
        let text = value.text
        return "--\(option.name)" + (text.isEmpty ? "" : " \(text)")
      }
    }.joined(separator: " ")
  }

  /// Returns those of some options that were given, as words of a command line, in the order of the declaration.
  package func words(of names: Set<String>) -> [String] {
    command.options.filter { names.contains($0.name) }.flatMap { option in
      values(of: option.name).map { value in
        if case .flag = value { return "--\(option.name)" }
        return "--\(option.name)=\(value.text)"
      }
    }
  }
}

extension OptionValue {
  /// The value as on a command line; empty for a flag. Keys are in the order of their names.
  fileprivate var text: String {
    switch self {
    case .flag: ""
    case .text(let text): text
    case .integer(let number): String(number)
    case .number(let number): number.shortText
    case .list(let words): words.joined(separator: ",")
    case .keyed(let keyed):
      keyed.values.sorted { $0.key < $1.key }.reduce(keyed.head) { text, entry in
        let value = entry.value.text
        return "\(text):\(entry.key)" + (value.isEmpty ? "" : "=\(value)")
      }
    }
  }
}
