/// Metrics in the text format of Prometheus.
///
/// Source: prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4.
struct PrometheusText {
  /// Kind of a metric.
  enum Kind: String {
    /// A count that only grows, until a restart.
    case counter
    /// A value that rises and falls.
    case gauge
  }

  /// Media type of the text.
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The metrics so far.
  private(set) var text = ""

  /// Appends a metric of one value.
  mutating func append(_ name: String, _ kind: Kind, _ value: Int, _ help: String, labels: [(String, String)] = []) {
    append(name, kind, text: String(value), help, labels)
  }

  /// Appends a metric of one value.
  mutating func append(_ name: String, _ kind: Kind, _ value: Double, _ help: String) {
    append(name, kind, text: String(value), help, [])
  }

  private mutating func append(
    _ name: String, _ kind: Kind, text value: String, _ help: String, _ labels: [(String, String)]
  ) {
    let list = labels.map { "\($0)=\"\(Self.escaped($1, quotes: true))\"" }.joined(separator: ",")
    text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    text += "\(name)\(list.isEmpty ? "" : "{\(list)}") \(value)\n"
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\"" where quotes: result += "\\\""
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
