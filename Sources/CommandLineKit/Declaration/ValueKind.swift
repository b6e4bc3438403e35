/// Kind of an option's value, for the parser, the help and the completion.
package enum ValueKind: Hashable, Sendable {
  /// A flag: no value.
  case none
  /// Any text.
  case text
  /// A whole number within a range.
  case integer(ClosedRange<Int>)
  /// A finite number within a range; the unit may follow it.
  case number(ClosedRange<Double>, unit: String?)
  /// One of several words.
  case choice([String])
  /// Some of several words, separated by commas.
  case choices([String])
  /// The path of a file; the option's owner decides about `-`.
  case file
  /// The path of a directory.
  case directory
  /// A head, followed by `:key=value` parts.
  case keyed(KeyValueSyntax)

  /// Requirement for the value, in the words of an error sentence.
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
  /// The number without a fraction of zero: `400`, not `400.0`.
  package var shortText: String { self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self) }
}
