import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(10))) struct SpooledRowsTests {
  private struct Row: BitwiseCopyable, Equatable {
    let number: Int
    let value: Float
  }

  @Test(
    "rows come back as they were written, with and without a file", .shows("results: memory"),
    arguments: [0, 1, 4_095, 4_096, 4_097, 200_000], [true, false])
  func kept(count: Int, hasPlace: Bool) throws {
    let written = (0..<count).map { Row(number: $0, value: Float($0) / 7) }
    let rows = hasPlace ? SpooledRows<Row>() : SpooledRows<Row>(folder: "/dev/null/nowhere") { _, _ in nil }
    for row in written { rows.append(row) }
    try rows.seal()
    #expect(Array(rows) == written && rows.count == count)
    #expect(rows.reversed() == written.reversed())
  }

  @Test(
    "rows behind the end are left out, in memory and in the file", .shows("results: memory"),
    arguments: [0, 1, 100, 4_096, 8_192, 9_999, 10_000])
  func ended(end: Int) throws {
    let rows = SpooledRows<Row>()
    for number in 0..<10_000 { rows.append(Row(number: number, value: 0)) }
    try rows.seal { $0.number >= end }
    #expect(rows.map(\.number) == Array(0..<end))
  }

  @Test("a file that cannot be read again is an error, which says so", .shows("results: memory"))
  func unreadable() {
    let rows = SpooledRows<Row>(folder: "/tmp") { _, _ in
      errno = ENOMEM
      return MAP_FAILED
    }
    for number in 0..<5_000 { rows.append(Row(number: number, value: 0)) }
    let error = #expect(throws: StoredRowsError.self) { try rows.seal() }
    #expect(error?.number == ENOMEM && error?.folder == "/tmp")
  }

  @Test("readers side by side each see every row")
  func sideBySide() throws {
    let rows = SpooledRows<Row>()
    for number in 0..<200_000 { rows.append(Row(number: number, value: 0)) }
    try rows.seal()
    for (one, other) in zip(rows, rows.lazy.map(\.number)) where one.number != other { Issue.record("\(one) \(other)") }
    let copy = SpooledRows<Row>()
    for row in rows { copy.append(row) }
    try copy.seal { $0.number == 199_999 }
    #expect(rows != copy && rows.dropLast().elementsEqual(copy))
  }

  @Test("memory does not grow with the rows that are kept and read", .shows("results: memory"))
  func memory() throws {
    // 64 bytes.
    let rows = SpooledRows<SIMD8<Int>>()
    for number in 0..<100_000 { rows.append(SIMD8(repeating: number)) }
    let before = try Self.residentBytes()
    for number in 100_000..<4_000_000 { rows.append(SIMD8(repeating: number)) }
    try rows.seal()
    var sum = 0
    var most = 0
    for row in rows {
      sum += row[7]
      if row[0] % 200_000 == 0 { most = max(most, try Self.residentBytes()) }
    }
    #expect(sum == 4_000_000 * 3_999_999 / 2)
    // 250 MB lie in the file; tests that run beside this one take memory too.
    #expect(most - before < 160 << 20, "\(most - before)")
  }

  private static func residentBytes() throws -> Int {
    let file = try #require(fopen("/proc/self/statm", "r"))
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    fgets(&line, 128, file)
    let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
      separator: " ")
    return try #require(Int(words[1])) * sysconf(Int32(_SC_PAGESIZE))
  }
}
