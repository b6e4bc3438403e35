/// The shard of a worker, and the origin of that choice.
package struct ShardChoice: Hashable, Sendable {
  package let shard: Shard
  /// Option or variable of the environment that chose the shard; nil if there is one shard only.
  package let origin: String?

  /// Chooses the shard: by `--shard`, else by the environment of Slurm, Kubernetes or AWS Batch.
  ///
  /// - Parameters:
  ///   - option: value of `--shard`.
  ///   - count: value of `--shards`.
  ///   - environment: returns a variable of the environment.
  /// - Throws: `usage` if the number of shards is unknown, or the environment names no shard of it.
  package init(
    option: String?, count: Int?, environment: (String) -> String?
  ) throws(BatchError) {
    if let option {
      let shard = try Shard(option: option)
      guard count == nil || count == shard.count else {
        throw .usage("--shard \(option) and --shards \(count ?? 0) contradict each other; leave --shards out")
      }
      self.shard = shard
      origin = "--shard"
      return
    }
    if environment("SLURM_ARRAY_TASK_ID") != nil {
      shard = try Self.slurm(count: count, environment)
      origin = "SLURM_ARRAY_TASK_ID"
      return
    }
    for (variable, size) in [("JOB_COMPLETION_INDEX", nil), ("AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE")] {
      guard let index = try Self.number(variable, environment) else { continue }
      let size = try size.flatMap { size throws(BatchError) in try Self.number(size, environment) }
      guard count == nil || size == nil || count == size else {
        throw .usage("the array has \(size ?? 0) jobs, and --shards says \(count ?? 0); leave --shards out")
      }
      guard let count = count ?? size else {
        throw .usage(
          "\(variable) is \(index), and the number of shards is unknown; add --shards N, or --shard 1/1 for all")
      }
      guard index < count else {
        throw .usage(
          "\(variable) is \(index), and --shards \(count) has shards 0 to \(count - 1) there; make both equal")
      }
      shard = Shard(number: index + 1, count: count)
      origin = variable
      return
    }
    guard count == nil || count == 1 else {
      throw .usage("--shards \(count ?? 0) does not say which shard this is; add --shard I/\(count ?? 0)")
    }
    shard = .whole
    origin = nil
  }

  private static func slurm(count: Int?, _ environment: (String) -> String?) throws(BatchError) -> Shard {
    guard let id = try number("SLURM_ARRAY_TASK_ID", environment),
      let tasks = try number("SLURM_ARRAY_TASK_COUNT", environment),
      let minimum = try number("SLURM_ARRAY_TASK_MIN", environment)
    else {
      throw .usage(
        "SLURM_ARRAY_TASK_ID is set, and SLURM_ARRAY_TASK_COUNT or SLURM_ARRAY_TASK_MIN is not; give --shard I/N")
    }
    guard count == nil || count == tasks else {
      throw .usage("the Slurm array has \(tasks) tasks, and --shards says \(count ?? 0); leave --shards out")
    }
    let step = max(1, try number("SLURM_ARRAY_TASK_STEP", environment) ?? 1)
    let distance = id - minimum
    let maximum = try number("SLURM_ARRAY_TASK_MAX", environment) ?? minimum + (tasks - 1) * step
    // A list such as 1,3,5,9 has steps of 1 in the environment.
    let isRange = maximum - minimum == (tasks - 1) * step
    guard isRange, 1...Shard.most ~= tasks, distance >= 0, distance % step == 0, distance / step < tasks else {
      throw .usage(
        "task \(id) of the Slurm array is not one of \(tasks) tasks in steps of \(step) from \(minimum); "
          + "use an array such as 1-\(tasks), or give --shard I/N")
    }
    return Shard(number: distance / step + 1, count: tasks)
  }

  private static func number(
    _ variable: String, _ environment: (String) -> String?
  ) throws(BatchError) -> Int? {
    guard let text = environment(variable) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw .usage("the variable \(variable) is '\(text)', and should be a number; give --shard I/N")
    }
    return number
  }
}
