import Foundation
import Testing

/// What Documentation/Reports.md says of the fields of results.
package enum ReportFields {
  /// Keys of a value of JSON, and of all that is in it, that do not stand in backticks below these headings. Numbers of
  /// users are no names of fields.
  package static func unnamed(in value: Any, _ headings: String...) throws -> [String] {
    try unnamed(in: value, below: headings)
  }

  /// The same of so many headings.
  package static func unnamed(in value: Any, below headings: [String]) throws -> [String] {
    let root = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    let document = root.appendingPathComponent("Documentation/Reports.md")
    let sections = try String(contentsOf: document, encoding: .utf8).components(separatedBy: "\n## ").filter {
      headings.contains(String($0.prefix { $0 != "\n" }))
    }
    try #require(sections.count == headings.count, "\(headings)")
    // Every other piece is within backticks.
    let named = sections.flatMap { $0.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 } }
    return keys(of: value).subtracting(named.map(\.element)).sorted()
  }

  /// All keys but numbers.
  package static func keys(of value: Any) -> Set<String> {
    switch value {
    case let object as [String: Any]:
      object.values.reduce(into: Set(object.keys.filter { Int($0) == nil })) { $0.formUnion(keys(of: $1)) }
    case let array as [Any]: array.reduce(into: []) { $0.formUnion(keys(of: $1)) }
    default: []
    }
  }
}
