import Platform

/// Reads a command line by the conventions of GNU programs.
///
/// It takes `--name=value`, `--name value`, `-o value`, `-ovalue` and clustered letters. `--` ends the options, `-` is
/// an operand, and options and operands may be mixed. Each error sentence contains a remedy.
package struct ArgumentParser {
  package let command: CommandDeclaration

  package init(command: CommandDeclaration) {
    self.command = command
  }

  /// Parses the words behind the subcommand; `checkOperands` checks the number of operands.
  ///
  /// - Parameter words: words of the command line.
  /// - Returns: options and operands.
  /// - Throws: a usage failure for the first wrong word.
  package func parse(_ words: [String]) throws(CommandFailure) -> ParsedArguments {
    var result = ParsedArguments(command: command)
    var rest = words[...]
    while let word = rest.popFirst() {
      // A valid name that begins like an option stands behind `--`, or is written as `./-name`.
      if Argument.repaired(word)?.hasPrefix("-") == true { try Argument.check(word) }
      if word == "--" {
        for operand in rest { result.append(operand: operand) }
        break
      } else if word.hasPrefix("--") {
        try parseLong(word.dropFirst(2), rest: &rest, into: &result)
      } else if word.hasPrefix("-"), word.utf8.count > 1 {
        try parseShort(word.dropFirst(), rest: &rest, into: &result)
      } else {
        result.append(operand: word)
      }
    }
    return result
  }

  /// Checks the number and the words of the operands, later than `parse`, so that `--help` works without them.
  package func checkOperands(of parsed: ParsedArguments) throws(CommandFailure) {
    let given = parsed.operands
    switch command.operands?.kind {
    // A file with a name that is not text fails as an input; the command itself checks a verb.
    case .files, .verb: break
    case .choice, .text, nil: for word in given { try Argument.check(word) }
    }
    let help = "'\(command.invocation) --help' shows how"
    guard let operands = command.operands else {
      guard let first = given.first else { return }
      throw .usage("'\(command.invocation)' takes no operand, but was given '\(first)'; \(help)")
    }
    guard given.count >= operands.minimum else {
      throw .usage("'\(command.invocation)' needs \(operands.placeholder); \(help)")
    }
    guard given.count <= operands.maximum else {
      throw .usage(
        "'\(command.invocation)' does not know what to do with '\(given[operands.maximum])'; \(help)")
    }
    for word in given {
      guard !word.isEmpty else { throw .usage("an operand of '\(command.invocation)' is empty; \(help)") }
      if case .choice(let words) = operands.kind {
        _ = try ValueParser(subject: "'\(command.invocation)'").parse(word, as: .choice(words))
      }
    }
  }

  private func parseLong(
    _ word: Substring, rest: inout ArraySlice<String>, into result: inout ParsedArguments
  ) throws(CommandFailure) {
    let sign = word.firstIndex(of: "=")
    let name = word[..<(sign ?? word.endIndex)]
    guard let option = command.option(named: name) else {
      let ending = Suggestion.ending(
        for: name, among: command.options.map(\.name), prefix: "--", otherwise: hint(for: "--\(word)"))
      throw .usage("unknown option '--\(name)'\(ending)")
    }
    try take(
      option, attached: sign.map { String(word[word.index(after: $0)...]) }, rest: &rest, into: &result)
  }

  private func parseShort(
    _ word: Substring, rest: inout ArraySlice<String>, into result: inout ParsedArguments
  ) throws(CommandFailure) {
    var letters = word
    while let letter = letters.popFirst() {
      guard let option = command.option(short: letter) else {
        let ending =
          if let meant = command.option(named: word) { "; did you mean '--\(meant.name)'?" } else {
            hint(for: "-\(word)")
          }
        throw .usage("unknown option '-\(letter)'\(ending)")
      }
      guard option.value != .none else {
        try take(option, attached: nil, rest: &rest, into: &result)
        continue
      }
      try take(option, attached: letters.isEmpty ? nil : String(letters), rest: &rest, into: &result)
      return
    }
  }

  /// Returns advice for a word that is not an option, and may be a file's name.
  private func hint(for word: String) -> String {
    word.contains(".") ? "; write './\(word)' for a file" : "; '\(command.invocation) --help' lists the options"
  }

  private func take(
    _ option: OptionDeclaration, attached: String?, rest: inout ArraySlice<String>,
    into result: inout ParsedArguments
  ) throws(CommandFailure) {
    let subject = "option '--\(option.name)'"
    guard option.isRepeatable || !result.has(option.name) else {
      throw .usage("\(subject) was given more than once; give it one time")
    }
    guard option.value != .none else {
      guard attached == nil else {
        throw .usage(
          "\(subject) takes no value, but was given '\(attached ?? "")'; write --\(option.name) alone")
      }
      return result.append(.flag, to: option)
    }
    // A declared option is not a value: `-o --overwrite` lacks a name, and does not mean a file called `--overwrite`.
    guard let text = attached ?? rest.first.flatMap({ isOption($0) ? nil : $0 }) else {
      throw .usage("\(subject) needs a value: --\(option.name) \(option.placeholder)")
    }
    if attached == nil { rest.removeFirst() }
    try Argument.check(text)
    result.append(try ValueParser(subject: subject).parse(text, as: option.value), to: option)
  }

  private func isOption(_ word: String) -> Bool {
    if word == "--" { return true }
    if word.hasPrefix("--") { return command.option(named: word.dropFirst(2).prefix { $0 != "=" }) != nil }
    guard word.count == 2, word.first == "-", let letter = word.last else { return false }
    return command.option(short: letter) != nil
  }
}
