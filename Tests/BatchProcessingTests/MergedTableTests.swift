import Glibc
import TestSupport
import Testing

@testable import BatchProcessing

@Suite("MergedTable", .timeLimit(.minutes(10)))
struct MergedTableTests {
  private static let count = 20

  private func manifest(_ folder: BatchFolder) throws -> Manifest {
    try Manifest(path: folder.write("m", (0..<Self.count).map { "f\($0).wav\n" }.joined()))
  }

  /// Does the rows of a shard, but for those to be left out.
  private func work(
    _ folder: BatchFolder, _ manifest: Manifest, _ shard: Shard, options: String = "", without left: Set<UInt32> = []
  ) throws {
    let plan = ShardPlan(durations: (0..<Self.count).map { UInt32($0 * 300 + 500) }, shard: shard)
    let journal = try Journal(
      folder: folder.path,
      header: JournalHeader(
        shard: shard, rowCount: Self.count, manifest: manifest.fingerprint.text, lengths: "l", options: options),
      rows: plan.rows.sorted(), startsOver: true, checkIfNew: {}, waitForLock: { _ in false })
    for position in plan.rows where !left.contains(position) {
      try journal.append(ResultRow(index: Int(position) + 1, path: "f\(position).wav"))
    }
  }

  @Test(
    "the shards' rows are those of one shard, in the order of the manifest", .shows("batch: merge"),
    arguments: [1, 2, 7])
  func merge(count: Int) throws {
    let folder = try BatchFolder()
    let manifest = try manifest(folder)
    for number in (1...count).reversed() { try work(folder, manifest, Shard(number: number, count: count)) }
    let table = try MergedTable(folder: folder.path, manifest: manifest, count: nil, options: nil)
    #expect(Array(table.lines) == (0..<Self.count).map { ResultRow(index: $0 + 1, path: "f\($0).wav").json })
    #expect((table.missingCount, table.failedCount, table.shardCount) == (0, 0, count))
  }

  @Test("missing rows and shards are known", .shows("batch: merge"))
  func missing() throws {
    let folder = try BatchFolder()
    let manifest = try manifest(folder)
    try work(folder, manifest, Shard(number: 1, count: 3), without: [19])
    try work(folder, manifest, Shard(number: 3, count: 3))
    let table = try MergedTable(folder: folder.path, manifest: manifest, count: nil, options: nil)
    let second = ShardPlan(
      durations: (0..<Self.count).map { UInt32($0 * 300 + 500) }, shard: Shard(number: 2, count: 3)
    ).rows
    #expect((0..<Self.count).filter { table.isMissing($0) } == (second.map { Int($0) } + [19]).sorted())
    #expect(table.shards.map(\.number) == [1, 3])
  }

  @Test("results of other shard counts, manifests or options are not mixed", .shows("batch: merge"))
  func mixtures() throws {
    let folder = try BatchFolder()
    let manifest = try manifest(folder)
    try work(folder, manifest, Shard(number: 1, count: 2))
    try work(folder, manifest, Shard(number: 2, count: 2), options: "--pitch")
    func merge(_ count: Int? = nil, _ options: String? = nil) -> BatchError.Kind? {
      failure { _ = try MergedTable(folder: folder.path, manifest: manifest, count: count, options: options) }?.kind
    }
    #expect(merge() == .usage)
    try work(folder, manifest, Shard(number: 2, count: 2))
    #expect(merge() == nil)
    #expect(merge(nil, "--gain -3") == .usage)
    let third = try Shard("1/3")
    #expect(failure { try work(folder, manifest, third) }?.kind == .otherWork)
    let another = try BatchFolder()
    try work(another, manifest, third)
    let name = "\(third.fileStem).journal"
    #expect(rename("\(another.path)/\(name)", "\(folder.path)/\(name)") == 0)
    #expect(merge() == .usage)
    #expect(merge(2) == nil)
    #expect(merge(4) == .noInput)
    let other = try Manifest(path: folder.write("n", "x.wav\n"))
    #expect(
      failure { _ = try MergedTable(folder: folder.path, manifest: other, count: 2, options: nil) }?.kind == .usage)
  }
}
