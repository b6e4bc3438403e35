/// Color for a stream, or none; colored text is always understandable without its color.
package struct TerminalStyle: Hashable, Sendable {
  /// A stream without color.
  package static let plain = TerminalStyle(isColoured: false)

  package let isColoured: Bool

  package init(isColoured: Bool) { self.isColoured = isColoured }

  /// Chooses color only for a terminal that is not `dumb`, and never if `NO_COLOR` is set and not empty.
  ///
  /// Source: https://no-color.org
  package init(isTerminal: Bool, environment: (String) -> String?) {
    let isUnwanted = environment("NO_COLOR").map { !$0.isEmpty } ?? false
    let terminal = environment("TERM") ?? "dumb"
    isColoured = isTerminal && !isUnwanted && terminal != "dumb" && !terminal.isEmpty
  }

  package func error(_ text: String) -> String { paint(text, "1;31") }
  package func warning(_ text: String) -> String { paint(text, "1;33") }
  package func good(_ text: String) -> String { paint(text, "32") }
  package func heading(_ text: String) -> String { paint(text, "1") }
  package func faint(_ text: String) -> String { paint(text, "2") }

  private func paint(_ text: String, _ code: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
