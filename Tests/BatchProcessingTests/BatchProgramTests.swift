import BatchProcessing
import TestSupport
import Testing

@Suite("A program with BatchProcessing", .timeLimit(.minutes(10)))
struct BatchProgramTests {
  private static let list = (1...9).map { #"{"path": "f\#($0).wav", "duration": \#($0)}"# + "\n" }.joined()

  /// Does the open rows of a shard, up to `limit` of them.
  private func work(
    _ folder: BatchFolder, _ shard: Shard, settings: String = "gain -3", limit: Int = .max, failing: Set<Int> = []
  ) throws -> (journal: Journal, done: [Int]) {
    let manifest = try Manifest(path: folder.path + "/calls.jsonl")
    let plan = ShardPlan(manifest, shard: shard)
    let journal = try Journal(folder: folder.path, manifest: manifest, plan: plan, work: settings)
    let names = try NameTemplate("{index}-{stem}.flac")
    var done: [Int] = []
    for row in try manifest.rows(of: plan) where journal.isOpen(row) && done.count < limit {
      var result = ResultRow(of: row)
      result.output = try names.name(of: row, in: manifest).path
      if failing.contains(row.index) { result.error = "damaged" }
      try journal.append(result)
      done.append(row.index)
    }
    return (journal, done)
  }

  @Test("the rows of all shards are those of the manifest", .shows("batch: programs"), arguments: [1, 2, 4, 20])
  func rows(count: Int) throws {
    let folder = try BatchFolder()
    let manifest = try Manifest(path: folder.write("calls.jsonl", Self.list))
    let shards = try (1...count).map { try manifest.rows(of: Shard("\($0)/\(count)")) }
    #expect(shards.joined().map(\.index).sorted() == Array(1...9))
    for rows in shards { #expect(rows.map { $0.duration ?? 0 } == rows.map { $0.duration ?? 0 }.sorted(by: >)) }
    #expect(manifest.path(of: try manifest.row(4)) == folder.path + "/f5.wav")
  }

  @Test("a plan has the lengths of its shard in seconds", .shows("batch: programs"))
  func plan() throws {
    let folder = try BatchFolder()
    let manifest = try Manifest(path: folder.write("calls.jsonl", Self.list))
    let plan = ShardPlan(manifest, shard: Shard(number: 1, count: 2))
    // By hand: 9 | 8, then 9 | 8+7, 9+6 | 15, 15+5 | 15, 20 | 15+4, 20 | 19+3, 20+2 | 22, 22+1 | 22.
    #expect((plan.seconds, plan.largestSeconds, plan.totalSeconds) == (23, 23, 45))
    #expect(Array(plan.positions) == [8, 5, 4, 1, 0])
    #expect(ShardPlan(lengths: (1...9).map(Double.init), shard: plan.shard) == plan)
  }

  @Test("a row without a length counts as the mean of the others", .shows("batch: programs"))
  func unknownLengths() throws {
    let folder = try BatchFolder()
    let manifest = try Manifest(
      path: folder.write("m.csv", "path,duration\na.wav,2\nb.wav,\nc.wav,4\n"))
    #expect(ShardPlan(manifest, shard: .whole) == ShardPlan(lengths: [2, 3, 4], shard: .whole))
    let list = try Manifest(path: folder.write("list.txt", (0..<12).map { "\($0).wav\n" }.joined()))
    for number in 1...4 { #expect(try list.rows(of: Shard(number: number, count: 4)).count == 3) }
  }

  @Test("a run continues after the rows of the run before", .shows("batch: programs"))
  func resume() throws {
    let folder = try BatchFolder()
    try folder.write("calls.jsonl", Self.list)
    #expect(try work(folder, .whole, limit: 4).done == [9, 8, 7, 6])
    let (journal, done) = try work(folder, .whole, failing: [2])
    #expect(done == [5, 4, 3, 2, 1])
    #expect((journal.isNew, journal.doneCount, journal.failedCount, journal.rowCount) == (false, 9, 1, 9))
    let lines = Array(TableFormat.csv.lines(journal.lines))
    #expect(lines[0].hasPrefix("index,path,start_s,output,"))
    #expect(lines[9].hasPrefix("9,f9.wav,,9-f9.flac,"))
    #expect(lines[2].hasSuffix(",failed,damaged"))
  }

  @Test("a journal of another text of settings is refused", .shows("batch: programs"))
  func otherWork() throws {
    let folder = try BatchFolder()
    try folder.write("calls.jsonl", Self.list)
    _ = try work(folder, .whole)
    let refusal = failure { _ = try work(folder, .whole, settings: "gain -6") }
    #expect(refusal?.kind == .otherWork)
    #expect(refusal?.message.hasSuffix("choose another folder, or start over") == true)
  }

  @Test("two outputs of one name are found before the work", .shows("batch: programs"))
  func doubles() throws {
    let folder = try BatchFolder()
    let manifest = try Manifest(path: folder.write("m", "x/a.wav\ny/a.wav\n"))
    try NameTemplate("{dir}/{stem}.{ext}").check(manifest)
    let refusal = failure { try NameTemplate("{stem}.{ext}").check(manifest, fileExtension: "flac") }
    #expect(refusal?.message.hasSuffix("tell them apart by {dir} or {index} in the template") == true)
  }
}
