import Glibc
import TestSupport
import Testing

@testable import BatchProcessing

@Suite("Journal", .timeLimit(.minutes(10)))
struct JournalTests {
  private static let shard = Shard(number: 2, count: 3)
  private static let rows: [UInt32] = [1, 4, 7, 9]
  private static let name = "results-00002-of-00003.journal"

  private func journal(
    _ folder: BatchFolder, options: String = "--loudness", startsOver: Bool = false,
    waitForLock: (String) -> Bool = { _ in false }
  ) throws -> Journal {
    try Journal(
      folder: folder.path,
      header: JournalHeader(shard: Self.shard, rowCount: 10, manifest: "m", lengths: "l", options: options),
      rows: Self.rows, startsOver: startsOver, checkIfNew: {}, waitForLock: waitForLock)
  }

  private func row(_ position: UInt32, error: String? = nil) -> ResultRow {
    var row = ResultRow(index: Int(position) + 1, path: "f\(position).wav")
    row.error = error
    return row
  }

  @Test("rows are in the order of the manifest, not of their ends", .shows("batch: table"))
  func order() throws {
    let folder = try BatchFolder()
    let journal = try journal(folder)
    for position in [7, 1, 9, 4] as [UInt32] { try journal.append(row(position)) }
    #expect(Array(journal.lines) == Self.rows.map { row($0).json })
    #expect((journal.doneCount, journal.failedCount) == (4, 0))
  }

  @Test("a journal cut anywhere is continued with whole rows only", .shows("batch: resume"))
  func torn() throws {
    let folder = try BatchFolder()
    var first: Journal? = try journal(folder)
    for position in [7, 1, 9] as [UInt32] { try first?.append(row(position)) }
    first = nil
    let whole = try #require(folder.read(Self.name))
    for count in stride(from: 0, through: whole.utf8.count, by: 13) {
      try folder.write(Self.name, String(whole.prefix(count)))
      let journal = try journal(folder)
      for position in Self.rows where journal.isOpen(position, retriesFailed: false) {
        try journal.append(row(position))
      }
      #expect(Array(journal.lines) == Self.rows.map { row($0).json }, "cut at \(count)")
    }
  }

  @Test("zeros that a crash left behind are cut off", .shows("batch: resume"))
  func zeros() throws {
    let folder = try BatchFolder()
    var first: Journal? = try journal(folder)
    try first?.append(row(7))
    first = nil
    let whole = try #require(folder.read(Self.name))
    try folder.write(Self.name, whole + String(repeating: "\0", count: 50) + "\n" + "1 + {}\n")
    let journal = try journal(folder)
    #expect(journal.doneCount == 1)
    #expect(journal.isOpen(1, retriesFailed: false))
  }

  @Test("failed rows stay until they are retried", .shows("batch: bad files"))
  func retry() throws {
    let folder = try BatchFolder()
    var first: Journal? = try journal(folder)
    try first?.append(row(4, error: "damaged"))
    first = nil
    let journal = try journal(folder)
    #expect(journal.failedCount == 1)
    #expect(!journal.isOpen(4, retriesFailed: false))
    #expect(journal.isOpen(4, retriesFailed: true))
    try journal.append(row(4))
    #expect((journal.doneCount, journal.failedCount) == (1, 0))
    #expect(Array(journal.lines) == [row(4).json])
  }

  @Test("results of other options are neither mixed nor thrown away", .shows("batch: resume"))
  func otherWork() throws {
    let folder = try BatchFolder()
    var first: Journal? = try journal(folder)
    try first?.append(row(4))
    first = nil
    let refusal = failure { _ = try self.journal(folder, options: "--pitch") }
    #expect(refusal?.kind == .otherWork)
    #expect(refusal?.message.contains("'--loudness', not the options '--pitch'") == true)
    #expect(try journal(folder).doneCount == 1)
    #expect(try journal(folder, options: "--pitch", startsOver: true).doneCount == 0)
  }

  @Test("a second worker of a shard waits, then names the first", .shows("batch: lock"))
  func lock() throws {
    let folder = try BatchFolder()
    var first: Journal? = try journal(folder)
    withExtendedLifetime(first) {
      let refusal = failure { _ = try self.journal(folder) }
      #expect(refusal?.kind == .busy)
      #expect(refusal?.message.contains("process \(getpid()) on ") == true)
    }
    var waits = 0
    let second = try journal(folder) { _ in
      waits += 1
      first = nil
      return true
    }
    #expect(waits == 1)
    #expect(second.doneCount == 0)
  }

  @Test("a refused beginning leaves no journal")
  func refused() throws {
    let folder = try BatchFolder()
    let header = JournalHeader(shard: Self.shard, rowCount: 10, manifest: "m", lengths: "l", options: "")
    let refusal = failure {
      _ = try Journal(
        folder: folder.path, header: header, rows: Self.rows, startsOver: false,
        checkIfNew: { () throws(BatchError) in throw BatchError(.cannotCreate, "there") },
        waitForLock: { _ in false })
    }
    #expect(refusal?.message == "there")
    #expect(access("\(folder.path)/\(Self.name)", F_OK) != 0)
  }

  @Test("a row as a table with commas has the digits of its JSON")
  func csv() throws {
    var row = row(4)
    (row.duration, row.rms, row.clippedSamples, row.warnings) = (12.5, -23.017, 3, ["a, b", "c"])
    #expect(ResultRow.csv(of: row.json) == "5,f4.wav,,,12.5,,,-23.02,,,,,3,\"a, b; c\",ok,")
    #expect(ResultRow.csvHeader.split(separator: ",").count == 16)
  }
}
