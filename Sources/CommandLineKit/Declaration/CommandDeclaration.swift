/// One subcommand, as data.
package struct CommandDeclaration: Sendable {
  /// The words that a command takes besides its options.
  package struct Operands: Sendable {
    /// What an operand is.
    package enum Kind: Hashable, Sendable {
      case files
      case choice([String])
      /// One of these words, and behind some of them a file.
      case verb([String], beforeFile: [String])
    }

    package let kind: Kind
    /// What stands for them in help.
    package let placeholder: String
    package let minimum: Int
    package let maximum: Int

    package init(kind: Kind, placeholder: String, minimum: Int, maximum: Int) {
      self.kind = kind
      self.placeholder = placeholder
      self.minimum = minimum
      self.maximum = maximum
    }
  }

  package let name: String
  /// One line for the list of subcommands, without its full stop.
  package let summary: String
  /// Complete command lines, two or three of them.
  package let examples: [String]
  /// What else help says, a paragraph each.
  package let notes: [String]
  /// Nil where the command takes no operands.
  package let operands: Operands?
  package let options: [OptionDeclaration]

  package init(
    name: String, summary: String, examples: [String], notes: [String] = [], operands: Operands? = nil,
    options: [OptionDeclaration]
  ) {
    self.name = name
    self.summary = summary
    self.examples = examples
    self.notes = notes
    self.operands = operands
    self.options = options
  }

  /// The command as it is typed; the program's own declaration has an empty name.
  package var invocation: String { name.isEmpty ? "audiopipe" : "audiopipe \(name)" }

  /// The option with a long name.
  package func option(named name: some StringProtocol) -> OptionDeclaration? { options.first { $0.name == name } }

  /// The option with a one-letter name.
  package func option(short: Character) -> OptionDeclaration? { options.first { $0.short == short } }
}
