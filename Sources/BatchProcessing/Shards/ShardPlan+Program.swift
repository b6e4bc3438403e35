extension ShardPlan {
  /// Deals out the rows of a manifest by the lengths that it has.
  ///
  /// A row without a length counts as the mean of the others. If no row has one, each shard gets as many rows. Every
  /// worker makes the same plan from the same manifest.
  ///
  /// - Parameters:
  ///   - manifest: Manifest with all rows.
  ///   - shard: Shard to plan.
  public init(_ manifest: Manifest, shard: Shard) {
    let known = manifest.durations.filter { $0 != Manifest.unknown }
    let sum = known.reduce(UInt64(0)) { $0 + UInt64($1) }
    let mean = known.isEmpty ? 0 : UInt32(sum / UInt64(known.count))
    self.init(durations: manifest.durations.map { $0 == Manifest.unknown ? mean : $0 }, shard: shard)
  }

  /// Deals out rows by lengths that the program has measured. Every worker has to give the same lengths.
  ///
  /// - Parameters:
  ///   - lengths: Length of each row in seconds, in the order of the manifest.
  ///   - shard: Shard to plan.
  public init(lengths: [Double], shard: Shard) {
    let durations = lengths.map { $0 > 0 ? UInt32(min(($0 * 1_000).rounded(), Double(UInt32.max - 1))) : 0 }
    self.init(durations: durations, shard: shard)
  }

  /// Positions of the shard's rows in the manifest, from 0, the longest first.
  public var positions: some RandomAccessCollection<Int> { rows.lazy.map { Int($0) } }

  /// Length of the shard's rows, in seconds.
  public var seconds: Double { Double(milliseconds) / 1_000 }

  /// Length of the longest shard's rows, in seconds.
  public var largestSeconds: Double { Double(largest) / 1_000 }

  /// Length of all rows, in seconds.
  public var totalSeconds: Double { Double(total) / 1_000 }
}
