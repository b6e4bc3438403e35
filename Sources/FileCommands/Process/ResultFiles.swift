import CommandLineKit
import Engine
import Metering
import OfflineProcessing
import Platform
import SoundOptions

/// Files for the results of a job, besides its sound.
struct ResultFiles: Sendable {
  private let report: ResultFile?
  private let tables: [(kind: AnalysisKind, file: ResultFile)]
  /// Picture of the job; nil without one.
  let picture: PictureFile?

  init(_ job: FileJob, of options: ProcessOptions) {
    let mayReplace = options.overwrites
    report = job.reportPath.map { ResultFile(path: $0, mayReplace: mayReplace) }
    tables = job.tables.map { ($0.kind, ResultFile(path: $0.path, mayReplace: mayReplace)) }
    picture = options.picture.map { PictureFile($0, path: job.picturePath ?? $0.path, mayReplace: mayReplace) }
  }

  /// Checks before a long job that the files can be written.
  ///
  /// - Throws: as `ResultFile.check`.
  func check(newFolder: String? = nil) throws(CommandFailure) {
    for file in [report].compactMap(\.self) + tables.map(\.file) { try file.check(newFolder: newFolder) }
    try picture?.check(newFolder: newFolder)
  }

  /// Writes the report and the tables.
  func write(_ result: JobResult, of job: FileJob) throws(CommandFailure) {
    try report?.writeDocument { ProcessReport.write(&$0, result, job) }
    for table in tables {
      switch table.kind {
      case .volume: try table.file.writeLines(VolumeRows.schema.table(result.processing.levels))
      case .pitch: try table.file.writeLines(PitchRows.schema.table(result.pitch))
      case .loudness:
        try table.file.writeLines(LoudnessRows.schema.table(result.processing.loudness?.moments ?? SpooledRows()))
      }
    }
  }
}
