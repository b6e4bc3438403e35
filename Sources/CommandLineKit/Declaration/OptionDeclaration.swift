/// One option of a command, as data: the parser, `--help`, the suggestions and the completion come from it.
package struct OptionDeclaration: Hashable, Sendable {
  /// The long name without its dashes.
  package let name: String
  /// The one-letter name.
  package let short: Character?
  /// What the value may be.
  package let value: ValueKind
  /// What stands for the value in help; empty for a flag.
  package let placeholder: String
  /// True where the option may be given more than once.
  package let isRepeatable: Bool
  /// The heading under which help lists it.
  package let group: String
  /// One sentence for help, without its full stop.
  package let help: String
  /// What holds without the option, for help.
  package let defaultText: String?

  /// An option; `placeholder` is derived from the kind of value where it is left out.
  package init(
    _ name: String, short: Character? = nil, _ value: ValueKind = .none, placeholder: String? = nil,
    isRepeatable: Bool = false, group: String, default defaultText: String? = nil, help: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.placeholder = placeholder ?? Self.placeholder(for: value)
    self.isRepeatable = isRepeatable
    self.group = group
    self.help = help
    self.defaultText = defaultText
  }

  /// How the option is written, as help shows it: `-o, --output FILE`.
  package var syntax: String {
    let letter = short.map { "-\($0), " } ?? "    "
    return letter + "--\(name)" + (placeholder.isEmpty ? "" : " \(placeholder)")
  }

  private static func placeholder(for value: ValueKind) -> String {
    switch value {
    case .none: ""
    case .text: "TEXT"
    case .integer, .number(_, nil): "N"
    case .number(_, let unit?): unit
    case .choice(let words): words.joined(separator: "|")
    case .choices: "LIST"
    case .file: "FILE"
    case .directory: "DIR"
    case .keyed(let kind): kind.syntax
    }
  }
}
