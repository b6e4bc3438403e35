/// The command line of one command, checked against its declaration.
///
/// A read of an option that the command does not declare is an error in the program, and traps.
package struct ParsedArguments: Sendable {
  package let command: CommandDeclaration
  /// The words other than options, in order.
  package private(set) var operands: [String] = []
  private var values: [String: [OptionValue]] = [:]

  package init(command: CommandDeclaration) { self.command = command }

  /// Returns whether the option was given.
  package func has(_ name: String) -> Bool { !all(name).isEmpty }

  /// Returns the text, path or word of an option; nil if the option was not given.
  package func text(_ name: String) -> String? { texts(name).first }

  /// Returns the texts of a repeatable option, in order.
  package func texts(_ name: String) -> [String] {
    all(name).map { value in
      guard case .text(let text) = value else { preconditionFailure("--\(name) holds no text") }
      return text
    }
  }

  /// Returns the whole number of an option; nil if the option was not given.
  package func integer(_ name: String) -> Int? {
    all(name).first.map { value in
      guard case .integer(let number) = value else { preconditionFailure("--\(name) holds no whole number") }
      return number
    }
  }

  /// Returns the number of an option; nil if the option was not given.
  package func number(_ name: String) -> Double? {
    all(name).first.map { value in
      guard case .number(let number) = value else { preconditionFailure("--\(name) holds no number") }
      return number
    }
  }

  /// Returns the words of a list; empty if the option was not given.
  package func list(_ name: String) -> [String] {
    all(name).flatMap { value in
      guard case .list(let words) = value else { preconditionFailure("--\(name) holds no list") }
      return words
    }
  }

  /// Returns the heads and keys of an option, in order.
  package func keyed(_ name: String) -> [KeyedValue] {
    all(name).map { value in
      guard case .keyed(let keyed) = value else { preconditionFailure("--\(name) holds no keys") }
      return keyed
    }
  }

  /// Checks that an option comes with at least one of the options that it acts on.
  ///
  /// - Parameters:
  ///   - option: option to check.
  ///   - others: options that it acts on.
  ///   - lacking: words for the missing object in the message.
  /// - Throws: a usage failure if `option` was given and none of `others`.
  package func check(_ option: String, actsOn others: [String], lacking: String) throws(CommandFailure) {
    guard has(option), !others.contains(where: has) else { return }
    throw .usage(
      "--\(option) has \(lacking); add \(others.map { "--\($0)" }.joined(separator: " or ")), or leave it out")
  }

  /// Returns the values of an option, in order.
  func values(of name: String) -> [OptionValue] { all(name) }

  package mutating func append(operand: String) { operands.append(operand) }

  package mutating func append(_ value: OptionValue, to option: OptionDeclaration) {
    values[option.name, default: []].append(value)
  }

  private func all(_ name: String) -> [OptionValue] {
    precondition(command.option(named: name) != nil, "--\(name) is not declared")
    return values[name] ?? []
  }
}
