/// One option of a command, as data: the parser, `--help`, the suggestions and the completion come from it.
struct OptionDeclaration: Hashable, Sendable {
  /// The long name without its dashes.
  let name: String
  /// The one-letter name.
  let short: Character?
  /// What the value may be.
  let value: ValueKind
  /// What stands for the value in help; empty for a flag.
  let placeholder: String
  /// True where the option may be given more than once.
  let isRepeatable: Bool
  /// The heading under which help lists it.
  let group: String
  /// One sentence for help, without its full stop.
  let help: String
  /// What holds without the option, for help.
  let defaultText: String?

  /// An option; `placeholder` is derived from the kind of value where it is left out.
  init(
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
  var syntax: String {
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
