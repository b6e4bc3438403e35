/// One subcommand, as data.
package struct CommandDeclaration: Sendable {
  /// The words that a command takes besides its options.
  package struct Operands: Sendable {
    /// Kind of the operands.
    package enum Kind: Hashable, Sendable {
      case files
      /// Words that the command alone knows.
      case text
      case choice([String])
      /// One of these words, followed by a file after some of them.
      case verb([String], beforeFile: [String])
    }

    package let kind: Kind
    /// Placeholder of the operands in help.
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
  /// Further paragraphs of the help text.
  package let notes: [String]
  /// Operands of the command; nil if it takes none.
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

  /// The command as typed on a command line; the program's own declaration has an empty name.
  package var invocation: String { name.isEmpty ? "audiopipe" : "audiopipe \(name)" }

  /// Returns the option with a long name; nil if there is none.
  package func option(named name: some StringProtocol) -> OptionDeclaration? { options.first { $0.name == name } }

  /// Returns the option with a one-letter name; nil if there is none.
  package func option(short: Character) -> OptionDeclaration? { options.first { $0.short == short } }
}
