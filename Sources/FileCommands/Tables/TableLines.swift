/// A table as lines of text, made one by one during reading: its header, then rows with commas between the values.
struct TableLines: Sequence {
  private let header: String
  private let rows: any Sequence<[String]>

  init(header: String, rows: some Sequence<[String]>) {
    self.header = header
    self.rows = rows
  }

  func makeIterator() -> AnyIterator<String> {
    var header: String? = header
    let rows = Self.iterator(rows)
    return AnyIterator {
      if let line = header.take() { return line }
      return rows.next()?.joined(separator: ",")
    }
  }

  private static func iterator(_ rows: some Sequence<[String]>) -> AnyIterator<[String]> {
    AnyIterator(rows.makeIterator())
  }
}
