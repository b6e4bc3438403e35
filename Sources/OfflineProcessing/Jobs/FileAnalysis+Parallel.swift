extension FileAnalysis {
  /// Runs several analyses at a time.
  ///
  /// ```swift
  /// let analyses = ["a.wav", "b.wav"].map { FileAnalysis(.path($0)) }
  /// for result in await FileAnalysis.run(analyses).results() {
  ///   print((try? result.get().total.rmsDBFS) ?? -120)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - jobs: Analyses of different inputs.
  ///   - parallel: Most analyses that run at once, 1 or more; nil: one for each processor.
  /// - Returns: A sequence of progress and results. A cancelled analysis has `FileAnalysisResult.isCancelled`.
  public static func run(_ jobs: [FileAnalysis], parallel: Int? = nil) -> ParallelJobs<FileAnalysisResult> {
    ParallelJobs(count: jobs.count, parallel: parallel) { index, job in
      var analysis = jobs[index]
      analysis.isCancelled = { [isCancelled = analysis.isCancelled] in job.isCancelled() || isCancelled() }
      return try analysis.run(progress: job.report)
    }
  }
}
