import Platform

/// Values of an object by their keys, which are compared as bytes. The first of two equal keys counts.
package struct JSONFields: Sendable {
  private let values: [ByteText: JSONValue]

  package init(_ fields: [(key: String, value: JSONValue)]) {
    values = Dictionary(fields.map { (ByteText($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  package subscript(_ key: String) -> JSONValue? { values[ByteText(key)] }
}
