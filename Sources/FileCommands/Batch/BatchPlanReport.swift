import BatchProcessing
import CommandLineKit
import JSON
import SoundOptions

/// Work of a shard, for `--dry-run`.
struct BatchPlanReport {
  /// Most outputs that are named.
  private static let outputLimit = 20

  let options: BatchOptions
  let manifest: Manifest
  let plan: ShardPlan

  /// Writes the plan as text or, with `--json`, as an object.
  ///
  /// - Throws: errors of the manifest and of stdout.
  func write(to output: StandardOutput) throws {
    let shard = options.shard.shard
    var names: [String] = []
    for position in plan.rows.prefix(Self.outputLimit) {
      names += try options.paths(of: manifest.row(Int(position)), in: manifest).all
    }
    let mean = plan.total / UInt64(shard.count)
    guard options.resultFormat != .json else {
      try output.writeDocument { json in
        json.field("schema", 1)
        json.field("shard", shard.number)
        json.field("shards", shard.count)
        json.field("rows", plan.rows.count)
        json.field("rows_of_all", manifest.count)
        json.field("duration_s", Self.seconds(plan.milliseconds), decimals: 3)
        json.field("largest_shard_s", Self.seconds(plan.largest), decimals: 3)
        json.field("mean_shard_s", Self.seconds(mean), decimals: 3)
        json.field("table", tablePath)
        json.array("outputs") { json in for name in names { json.value(name) } }
      }
      return
    }
    var lines = [
      "shard \(shard.text): \(plan.rows.count) of \(manifest.count) rows, \(Self.text(plan.milliseconds)) of sound",
      "largest shard: \(Self.text(plan.largest)), mean \(Self.text(mean))",
    ]
    lines += names.prefix(Self.outputLimit).map { "output: \(Log.oneLine($0))" }
    if plan.rows.count > Self.outputLimit, !names.isEmpty {
      lines.append("and the outputs of \(plan.rows.count - Self.outputLimit) more rows")
    }
    lines += ["table: \(Log.oneLine(tablePath))", "nothing was written"]
    try output.writeLines(lines)
  }

  private var tablePath: String {
    "\(options.folder)/\(options.shard.shard.fileStem).\(options.tableFormat.rawValue)"
  }

  private static func seconds(_ milliseconds: UInt64) -> Double { Double(milliseconds) / 1_000 }

  /// Returns `1:02:03`.
  static func text(_ milliseconds: UInt64) -> String {
    let seconds = (milliseconds + 500) / 1_000
    func padded(_ value: UInt64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(seconds / 3_600):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
  }
}
