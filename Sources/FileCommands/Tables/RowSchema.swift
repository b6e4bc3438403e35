import Engine
import JSON
import Platform

/// Names of rows over time and of their columns, and the form of numbers, in tables and in JSON alike.
struct RowSchema<Row: BitwiseCopyable & Sendable>: Sendable {
  struct Column: Sendable {
    let name: String
    let write: @Sendable (inout JSONWriter, Row) -> Void

    /// Creates a column of numbers with `decimals` decimals at most.
    static func number(_ name: String, decimals: Int, _ value: @escaping @Sendable (Row) -> Double) -> Column {
      Column(name: name) { json, row in json.value(value(row), decimals: decimals) }
    }

    /// Creates a column of numbers, null in JSON and empty in a table if there is none.
    static func number(_ name: String, decimals: Int, _ value: @escaping @Sendable (Row) -> Double?) -> Column {
      Column(name: name) { json, row in
        if let value = value(row) { json.value(value, decimals: decimals) } else { json.null() }
      }
    }

    static func whole(_ name: String, _ value: @escaping @Sendable (Row) -> Int) -> Column {
      Column(name: name) { json, row in json.value(value(row)) }
    }
  }

  /// Name of the array of rows in an object.
  let name: String
  let columns: [Column]

  /// Returns a table with a line for each row.
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

  /// Writes an array with an object for each row into an object.
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
