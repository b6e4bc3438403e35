extension Manifest {
  /// Returns the rows of a shard, dealt out by the lengths that the manifest has, the longest first.
  ///
  /// Memory: all rows of the shard; `row(_:)` and `ShardPlan.positions` read one at a time.
  ///
  /// - Parameter shard: Shard of the rows.
  /// - Throws: As `row(_:)`.
  public func rows(of shard: Shard) throws(BatchError) -> [ManifestRow] {
    try rows(of: ShardPlan(self, shard: shard))
  }

  /// Returns the rows of a planned shard, the longest first. Memory: all rows of the shard.
  ///
  /// - Parameter plan: Plan of the shard, for this manifest.
  /// - Throws: As `row(_:)`.
  public func rows(of plan: ShardPlan) throws(BatchError) -> [ManifestRow] {
    try plan.rows.map { position throws(BatchError) in try row(Int(position)) }
  }
}
