extension FileProcessing {
  /// Runs several jobs at a time.
  ///
  /// - Parameters:
  ///   - jobs: Jobs with different outputs.
  ///   - parallel: Most jobs that run at once, 1 or more; nil: one for each processor.
  /// - Returns: A sequence of progress and results. A cancelled job has `ProcessingResult.isCancelled`, and its output
  ///   has the sound so far.
  public static func run(_ jobs: [FileProcessing], parallel: Int? = nil) -> ParallelJobs<ProcessingResult> {
    ParallelJobs(count: jobs.count, parallel: parallel) { index, job in
      var processing = jobs[index]
      processing.isCancelled = { [isCancelled = processing.isCancelled] in job.isCancelled() || isCancelled() }
      return try processing.prepare().run(progress: job.report)
    }
  }
}
