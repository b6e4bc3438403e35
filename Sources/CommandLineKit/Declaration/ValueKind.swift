/// What kind of value an option takes; the parser, the help and the completion all read it from here.
package enum ValueKind: Hashable, Sendable {
  /// A flag: no value.
  case none
  /// Any text.
  case text
  /// A whole number within a range.
  case integer(ClosedRange<Int>)
  /// A finite number within a range; the unit may be written behind it.
  case number(ClosedRange<Double>, unit: String?)
  /// One of several words.
  case choice([String])
  /// Some of several words, separated by commas.
  case choices([String])
  /// The path of a file; `-` is for the option's owner to judge.
  case file
  /// The path of a directory.
  case directory
  /// A head and `:key=value` parts behind it.
  case keyed(KeyValueSyntax)

  /// What the value must be, in the words of an error sentence.
  package var requirement: String {
    switch self {
    case .none: "no value"
    case .text: "a text"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range, let unit):
      "a number\(unit.map { " of \($0)" } ?? "") from \(range.lowerBound.shortText) to \(range.upperBound.shortText)"
    case .choice(let words): words.count == 1 ? "'\(words[0])'" : "one of \(words.joined(separator: ", "))"
    case .choices(let words): "a comma-separated list of \(words.joined(separator: ", "))"
    case .file: "a file"
    case .directory: "a directory"
    case .keyed(let kind): kind.syntax
    }
  }
}

extension Double {
  /// The number without a fraction that says nothing: `400`, not `400.0`.
  package var shortText: String { self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self) }
}
