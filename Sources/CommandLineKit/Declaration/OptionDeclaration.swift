/// One option of a command, as data: source of the parser, `--help`, the suggestions and the completion.
package struct OptionDeclaration: Hashable, Sendable {
  /// The long name without its dashes.
  package let name: String
  /// The one-letter name; nil if there is none.
  package let short: Character?
  /// Kind of the value.
  package let value: ValueKind
  /// Placeholder of the value in help; empty for a flag.
  package let placeholder: String
  /// Whether the option may be given more than once.
  package let isRepeatable: Bool
  /// Heading above the option in help.
  package let group: String
  /// One sentence for help, without its full stop.
  package let help: String
  /// Default in help; nil if there is none.
  package let defaultText: String?

  /// Creates an option; without a `placeholder`, the kind of value determines it.
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

  /// Syntax of the option in help: `-o, --output FILE`.
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
