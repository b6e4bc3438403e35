/// The shape of a value such as `FILE:gain=-3:pan=0.5` or `opus:bitrate=32000:fec`.
package struct KeyValueSyntax: Hashable, Sendable {
  /// Part of the value before the first key.
  package enum Head: Hashable, Sendable {
    /// A path. It may itself contain colons: it ends before the first `:key=` with a declared key.
    case file
    /// One of several words.
    case choice([String])
    /// A number within a range; its unit may follow it.
    case number(ClosedRange<Double>, unit: String)
  }

  /// One key and the kind of its value; a key of kind `.none` is written without `=`.
  package struct Key: Hashable, Sendable {
    package let name: String
    package let value: ValueKind

    package init(name: String, value: ValueKind) {
      self.name = name
      self.value = value
    }

    /// Syntax of the key in help.
    package var syntax: String {
      switch value {
      case .none: name
      case .choice(let words): "\(name)=\(words.joined(separator: "|"))"
      case .integer(let range): "\(name)=\(range.lowerBound)...\(range.upperBound)"
      case .number(_, let unit?): "\(name)=\(unit)"
      case .number(let range, nil): "\(name)=\(range.lowerBound.shortText)...\(range.upperBound.shortText)"
      default: "\(name)=VALUE"
      }
    }
  }

  package let head: Head
  /// Syntax of the head in help; nil if its kind determines it.
  package var headSyntax: String?
  package let keys: [Key]

  package init(head: Head, headSyntax: String? = nil, keys: [Key]) {
    self.head = head
    self.headSyntax = headSyntax
    self.keys = keys
  }

  /// Whether a number and `=` precede the path.
  package var isNumbered: Bool { headSyntax?.hasSuffix("=FILE") == true }

  /// Syntax of the whole value in help: `FILE[:gain=dB][:pan=-1...1]`.
  package var syntax: String {
    let start =
      switch head {
      case .file: headSyntax ?? "FILE"
      case .choice(let words): words.joined(separator: "|")
      case .number(_, let unit): headSyntax ?? unit
      }
    return start + keys.map { "[:\($0.syntax)]" }.joined()
  }

  /// Returns the key called `name`; nil if there is none.
  package func key(_ name: some StringProtocol) -> Key? { keys.first { $0.name == name } }
}
