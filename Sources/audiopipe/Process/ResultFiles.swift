import Engine

/// The files that the results of a job go to, besides its sound.
struct ResultFiles: Sendable {
  private let report: TextFile?
  private let tables: [(kind: AnalysisKind, file: TextFile)]

  init(_ job: FileJob, mayReplace: Bool) {
    report = job.reportPath.map { TextFile(path: $0, mayReplace: mayReplace) }
    tables = job.tables.map { ($0.kind, TextFile(path: $0.path, mayReplace: mayReplace)) }
  }

  /// Finds out before a long job whether they can be written. Throws: as `TextFile.check`.
  func check(newFolder: String? = nil) throws(CommandFailure) {
    for file in [report].compactMap(\.self) + tables.map(\.file) { try file.check(newFolder: newFolder) }
  }

  func write(_ result: JobResult, of job: FileJob) throws(CommandFailure) {
    try report?.write(ProcessReport.json(result, job) + "\n")
    for table in tables {
      switch table.kind {
      case .volume: try table.file.write(VolumeRows.table(result.processing.levels))
      case .pitch: try table.file.write(PitchRows.table(result.pitch))
      case .loudness:
        if let loudness = result.processing.loudness { try table.file.write(LoudnessRows.table(loudness)) }
      }
    }
  }
}
