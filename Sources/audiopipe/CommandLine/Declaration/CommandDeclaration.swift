/// One subcommand, as data.
struct CommandDeclaration: Sendable {
  /// The words that a command takes besides its options.
  struct Operands: Sendable {
    /// What an operand is.
    enum Kind: Hashable, Sendable {
      case files
      case choice([String])
      /// One of these words, and behind some of them a file.
      case verb([String], beforeFile: [String])
    }

    let kind: Kind
    /// What stands for them in help.
    let placeholder: String
    let minimum: Int
    let maximum: Int
  }

  let name: String
  /// One line for the list of subcommands, without its full stop.
  let summary: String
  /// Complete command lines, two or three of them.
  let examples: [String]
  /// What else help says, a paragraph each.
  let notes: [String]
  /// Nil where the command takes no operands.
  let operands: Operands?
  let options: [OptionDeclaration]

  init(
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
  var invocation: String { name.isEmpty ? "audiopipe" : "audiopipe \(name)" }

  /// The option with a long name.
  func option(named name: some StringProtocol) -> OptionDeclaration? { options.first { $0.name == name } }

  /// The option with a one-letter name.
  func option(short: Character) -> OptionDeclaration? { options.first { $0.short == short } }
}
