import Testing

@testable import audiopipe

@Suite struct StoredRowsTests {
  private struct Row: BitwiseCopyable, Equatable {
    let number: Int
    let value: Float
  }

  @Test(
    "rows come back as they went in, be they few, many, or where no file can be made",
    arguments: [0, 1, 4_095, 4_096, 4_097, 20_000], [nil, "/dev/null/nowhere"] as [String?])
  func kept(count: Int, folder: String?) {
    let written = (0..<count).map { Row(number: $0, value: Float($0) / 7) }
    let rows = StoredRows<Row>(folder: folder)
    for row in written { rows.append(row) }
    rows.seal { _ in false }
    #expect(Array(rows) == written && rows.count == count)
    #expect(rows.reversed() == written.reversed())
  }

  @Test(
    "what lies behind the end is left out, wherever it is kept", arguments: [0, 1, 100, 4_096, 8_192, 9_999, 10_000])
  func ended(end: Int) {
    let rows = StoredRows<Row>()
    for number in 0..<10_000 { rows.append(Row(number: number, value: 0)) }
    rows.seal { $0.number >= end }
    #expect(rows.map(\.number) == Array(0..<end))
  }
}
