import AudioGraph
import BatchProcessing
import CommandLineKit
import FrameObservers
import Glibc
import JSON
import OfflineProcessing
import Platform
import SoundOptions

/// One worker: does the open rows of a shard, several at a time, and writes their table.
///
/// Thread: `run` once, from the main thread.
final class BatchRun: Sendable {
  /// Longest wait for the end of another worker of the same shard: a server of files may hold the lock of a dead
  /// machine for a while.
  private static let lockSeconds = 120

  private let options: BatchOptions
  private let manifest: Manifest
  private let console: Console
  private let journal: Journal
  private let work: RowWork
  /// Open rows, the longest first.
  private let rows: [UInt32]
  private let lengths: [UInt32]
  private let progress: Progress
  /// Lock of the lines on stdout.
  private let lines = Guarded(())
  /// Failure that ended the run.
  private let failure = Guarded<(any Error)?>(nil)

  /// Opens the journal of the shard.
  ///
  /// - Throws: `BatchError` if there are outputs from before, or another worker has the shard. Also if the results
  ///   there are of other work or of another number of shards.
  init(
    _ options: BatchOptions, _ manifest: Manifest, _ plan: ShardPlan, _ lengths: [UInt32], _ console: Console
  ) throws {
    self.options = options
    self.manifest = manifest
    self.console = console
    self.lengths = lengths
    work = RowWork(options: options, manifest: manifest)
    let shard = options.shard.shard
    let header = JournalHeader(plan: plan, manifest: manifest, options: options.work)
    var waits = 0
    journal = try Journal(
      folder: options.folder, header: header, rows: plan.rows.sorted(), startsOver: options.overwrites
    ) { () throws(BatchError) in
      if !options.overwrites { try Self.checkOutputs(plan.rows, options, manifest) }
    } waitForLock: { holder in
      waits += 1
      return Self.wait(for: holder, waits, console.log)
    }
    if journal.isNew {
      // A table of other work would look like that of this one.
      for format in TableFormat.allCases { unlink("\(options.folder)/\(shard.fileStem).\(format.rawValue)") }
    }
    var (lostCount, changedCount) = (0, 0)
    let rows = try plan.rows.filter { [journal] row in
      if journal.isOpen(row, retriesFailed: options.retriesFailed) { return true }
      let path = try manifest.path(of: manifest.row(Int(row)))
      if let stamp = FileStamp(path: path), journal.hasChanged(row, to: stamp) {
        changedCount += 1
        return true
      }
      guard try !journal.isFailed(row) && Self.lacksOutput(row, options, manifest) else { return false }
      lostCount += 1
      return true
    }
    self.rows = rows
    if lostCount > 0 { console.log.info("outputs of \(lostCount) rows are gone; those rows are done again") }
    if changedCount > 0 {
      console.log.warning("\(changedCount) inputs have changed since their rows were done; those rows are done again")
    }
    let clock = SystemClock()
    let start = clock.nowNanoseconds
    progress = Progress(
      mode: options.progress.resolved(
        isInteractive: console.canShowBar(besideLines: options.resultFormat == .jsonLines),
        isQuiet: options.common.isQuiet),
      total: .milliseconds(Int(rows.reduce(UInt64(0)) { $0 + UInt64(lengths[Int($1)]) })), errors: console.errors,
      now: { .nanoseconds(clock.nowNanoseconds - start) })
  }

  /// Does the open rows.
  ///
  /// - Returns: failure if a row of the shard failed, in this run or before.
  /// - Throws: the error that ended the run, such as of a full disk; it can be continued.
  func run() throws -> ExitCode {
    if journal.doneCount > 0 {
      console.log.info("\(journal.doneCount) of \(journal.rowCount) rows are done already")
    }
    let pool = WorkerPool(
      count: rows.count, workerCount: options.jobCount,
      shouldStop: { [failure] in InterruptHandler.pending != nil || failure.withLock { $0 != nil } },
      work: { [self] in doRow(rows[$0]) })
    _ = pool.run()
    progress.finish()
    if let failure = failure.withLock({ $0 }) { throw failure }
    guard journal.doneCount == journal.rowCount else {
      console.log.warning(
        "stopped: \(journal.doneCount) of \(journal.rowCount) rows are done; the same command does the others")
      return .success
    }
    try ResultFile(path: tablePath, mayReplace: true).writeLines(options.tableFormat.lines(journal.lines))
    try conclude()
    return journal.failedCount > 0 ? .someFailed : .success
  }

  private var tablePath: String {
    "\(options.folder)/\(options.shard.shard.fileStem).\(options.tableFormat.rawValue)"
  }

  /// Does a row and notes its result.
  private func doRow(_ position: UInt32) {
    let length = Double(lengths[Int(position)]) / 1_000
    var shown = 0.0
    func show(_ seconds: Double) {
      guard seconds > shown else { return }
      progress.advance(by: .seconds(seconds - shown))
      shown = seconds
    }
    do {
      let row = try manifest.row(Int(position))
      let stamp = FileStamp(path: manifest.path(of: row))
      let result = try work.result(of: row) { share in show(share * length) }
      try journal.append(result, stamp: stamp)
      show(length)
      try tell(result)
    } catch {
      failure.withLock { $0 = $0 ?? error }
    }
  }

  private func tell(_ result: ResultRow) throws {
    for warning in result.warnings { console.log.warning("\(result.path): \(warning)") }
    if let error = result.error { console.log.error(error) }
    guard options.resultFormat == .jsonLines else { return }
    // One line at a time.
    try lines.withLock { _ in try console.output.writeLine(result.json) }
  }

  private func conclude() throws {
    let shard = options.shard.shard
    if options.resultFormat == .json {
      try console.output.writeDocument { json in
        json.field("schema", 1)
        json.field("shard", shard.number)
        json.field("shards", shard.count)
        json.field("rows", journal.rowCount)
        json.field("failed", journal.failedCount)
        json.field("table", tablePath)
      }
    } else {
      console.log.info(
        "shard \(shard.text): \(journal.rowCount) rows, \(journal.failedCount) failed; the table is \(tablePath)")
    }
    if journal.failedCount > 0 {
      console.log.error("\(journal.failedCount) of \(journal.rowCount) rows failed; --retry-failed does them again")
    }
  }

  private static func lacksOutput(
    _ position: UInt32, _ options: BatchOptions, _ manifest: Manifest
  ) throws(BatchError) -> Bool {
    guard options.writesFiles(of: manifest) else { return false }
    let names = try options.paths(of: manifest.row(Int(position)), in: manifest).all
    return names.contains { fileKind(of: "\(options.folder)/\($0)") == nil }
  }

  /// Checks that no output of the shard is there from before.
  private static func checkOutputs(
    _ rows: [UInt32], _ options: BatchOptions, _ manifest: Manifest
  ) throws(BatchError) {
    guard options.writesFiles(of: manifest) else { return }
    var first: String?
    var count = 0
    for position in rows {
      for name in try options.paths(of: manifest.row(Int(position)), in: manifest).all {
        var status = stat()
        guard lstat("\(options.folder)/\(name)", &status) == 0 else { continue }
        count += 1
        first = first ?? "\(options.folder)/\(name)"
      }
    }
    guard let first else { return }
    throw BatchError(
      .exists,
      "\(first)\(count > 1 ? " and \(count - 1) more outputs exist" : " exists") already; use another --out-dir, or --overwrite"
    )
  }

  /// Waits a second for the end of another worker.
  ///
  /// - Returns: false after the longest wait, or a signal.
  private static func wait(for holder: String, _ count: Int, _ log: Log) -> Bool {
    guard count <= lockSeconds, InterruptHandler.pending == nil else { return false }
    if count == 1 { log.info("waiting for the end of \(holder), which has this shard") }
    var pause = timespec(tv_sec: 1, tv_nsec: 0)
    nanosleep(&pause, nil)
    return true
  }
}
