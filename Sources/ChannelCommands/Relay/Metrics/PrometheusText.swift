import CommandLineKit
import Platform
import Relay

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
    /// Counts of values up to several bounds.
    case histogram
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

  /// Appends a metric of several values, each with its number in a label.
  mutating func append(_ name: String, _ kind: Kind, _ values: [Double], _ help: String, label: String) {
    appendHead(name, kind, help)
    for (index, value) in values.enumerated() { text += "\(name){\(label)=\"\(index)\"} \(value.shortText)\n" }
  }

  /// Appends a histogram, in seconds.
  mutating func append(_ name: String, _ histogram: LatencyHistogram, _ help: String) {
    appendHead(name, .histogram, help)
    for (bound, count) in zip(histogram.bounds, histogram.countsUpToBounds) {
      text += "\(name)_bucket{le=\"\((Double(bound) / 1e9).shortText)\"} \(count)\n"
    }
    text += "\(name)_bucket{le=\"+Inf\"} \(histogram.count)\n"
    text += "\(name)_sum \(Double(histogram.sumNanoseconds) / 1e9)\n\(name)_count \(histogram.count)\n"
  }

  private mutating func append(
    _ name: String, _ kind: Kind, text value: String, _ help: String, _ labels: [(String, String)]
  ) {
    let list = labels.map { "\($0)=\"\(Self.escaped($1, quotes: true))\"" }.joined(separator: ",")
    appendHead(name, kind, help)
    text += "\(name)\(list.isEmpty ? "" : "{\(list)}") \(value)\n"
  }

  private mutating func appendHead(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
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
