import Engine
import JSON
import Platform

/// What rows over time are called and how their numbers are written, in tables and in JSON alike.
struct RowSchema<Row: BitwiseCopyable & Sendable>: Sendable {
  struct Column: Sendable {
    let name: String
    let write: @Sendable (inout JSONWriter, Row) -> Void

    /// A number with so many decimals at most.
    static func number(_ name: String, decimals: Int, _ value: @escaping @Sendable (Row) -> Double) -> Column {
      Column(name: name) { json, row in json.value(value(row), decimals: decimals) }
    }

    /// The same, null in JSON and empty in a table where there is none.
    static func number(_ name: String, decimals: Int, _ value: @escaping @Sendable (Row) -> Double?) -> Column {
      Column(name: name) { json, row in
        if let value = value(row) { json.value(value, decimals: decimals) } else { json.null() }
      }
    }

    static func whole(_ name: String, _ value: @escaping @Sendable (Row) -> Int) -> Column {
      Column(name: name) { json, row in json.value(value(row)) }
    }
  }

  /// Of the array that has them in an object.
  let name: String
  let columns: [Column]

  /// A line for each row.
  func table(_ rows: SpooledRows<Row>) -> TableLines {
    TableLines(
      header: columns.map(\.name).joined(separator: ","),
      rows: rows.lazy.map { row in
        columns.map { column in
          var json = JSONWriter()
          column.write(&json, row)
          return json.text == "null" ? "" : json.text
        }
      })
  }

  /// An object for each row, as an array of an object.
  func write(_ json: inout JSONWriter, _ rows: SpooledRows<Row>) {
    json.array(name) { json in
      for row in rows {
        json.object { json in
          for column in columns {
            json.key(column.name)
            column.write(&json, row)
          }
        }
      }
    }
  }
}
