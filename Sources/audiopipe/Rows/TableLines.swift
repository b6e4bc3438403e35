/// A table as lines of text, made one by one as they are read: its header, then a row each with commas in between.
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
