import Glibc

extension Journal {
  /// Opens and locks the journal of a program's shard, or begins it. Its folder is made if it does not exist.
  ///
  /// The file is `results-00003-of-00016.journal`; `audiopipe batch --merge` joins those of all shards. Rows that are
  /// done stay so in the next run of the same work.
  ///
  /// - Parameters:
  ///   - folder: Folder of the outputs.
  ///   - manifest: Manifest of the rows.
  ///   - plan: Plan of the worker's shard.
  ///   - work: Text of all settings that determine the results. A journal of another text is refused.
  ///   - startsOver: Whether a journal of other work is thrown away.
  ///   - waitForLock: Called while another worker has the shard, with the worker's name, again and again: it may pause,
  ///     and false gives up.
  /// - Throws: `busy` if another worker has the shard. `otherWork` if the journal is of another manifest, of other
  ///   lengths or of other work. `otherWork` also if the folder has journals of another number of shards.
  ///   `cannotCreate` or `inputOutput` if the file cannot be made or read.
  public convenience init(
    folder: String, manifest: Manifest, plan: ShardPlan, work: String, startsOver: Bool = false,
    waitForLock: (String) -> Bool = { _ in false }
  ) throws(BatchError) {
    if mkdir(folder, 0o777) != 0, errno != EEXIST {
      throw BatchError(
        .cannotCreate, "\(folder): the folder cannot be made (\(BatchError.text(errno))); choose another folder")
    }
    try self.init(
      folder: folder, header: JournalHeader(plan: plan, manifest: manifest, options: work), rows: plan.rows.sorted(),
      startsOver: startsOver, checkIfNew: {}, waitForLock: waitForLock)
  }

  /// Returns whether a row has to be done, or done again.
  ///
  /// - Parameters:
  ///   - row: Row of the shard.
  ///   - retriesFailed: Whether rows that failed are done again.
  public func isOpen(_ row: ManifestRow, retriesFailed: Bool = false) -> Bool {
    isOpen(UInt32(row.index - 1), retriesFailed: retriesFailed)
  }

  /// Adds the result of a row, once its outputs are written.
  ///
  /// - Parameter result: Result of a row of the shard; a newer one replaces it.
  /// - Throws: `usage` if the row is not in the shard, `inputOutput` if the line cannot be written. The journal is then
  ///   as before.
  public func append(_ result: ResultRow) throws(BatchError) {
    guard has(result.index - 1) else { throw BatchError(.usage, "row \(result.index) is not in the journal's shard") }
    try append(result, stamp: nil)
  }
}
