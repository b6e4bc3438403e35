import AudioFiles
import AudioGraph
import BatchProcessing
import Engine
import FrameObservers
import Metering
import OfflineProcessing
import PitchDetection
import Platform

/// Measurements of one file.
struct FileMeasures {
  private let file: FileAnalysisResult
  private let pitch: SpooledRows<PitchPoint>?

  /// Measures a file as far as the options say.
  ///
  /// - Parameters:
  ///   - path: path of the file.
  ///   - options: measurements to make.
  ///   - progress: called every 200 ms of audio with the share that is done.
  /// - Throws: `AudioFileError` for the file, `EngineError` for the rest.
  init(_ path: String, _ options: BatchOptions, progress: (Double) -> Void) throws {
    var analysis = FileAnalysis(.path(path))
    analysis.interval = options.interval
    analysis.measuresLoudness = options.kinds.contains(.loudness)
    analysis.keepsLevels = true
    let track = options.kinds.contains(.pitch) ? PitchTrack(keeping: .rows) : nil
    if let track {
      analysis.setUp = { pipeline in
        // A strong reference would be a cycle of the pipeline.
        _ = try pipeline.observe(track.request(end: { [weak pipeline] in pipeline?.endPosition }))
      }
    }
    file = try analysis.run { seconds, total in
      if let total, total > 0 { progress(min(1, seconds / total)) }
    }
    pitch = try track?.finish(seconds: Double(file.samplesPerChannel) / Double(file.format.sampleRate)).rows
  }

  /// Warnings about the file.
  var warnings: [String] { file.warnings.map(\.message) }

  /// Writes the measurements into a row.
  func fill(_ row: inout ResultRow) {
    row.duration = Double(file.samplesPerChannel) / Double(file.format.sampleRate)
    row.rms = file.total.rmsDBFS
    row.clippedSamples = file.clippedSamples
    row.integratedLoudness = file.loudness?.integrated
    row.truePeak = file.loudness?.truePeak
    row.pitchMedian = pitch.flatMap { PitchRows.summary($0)?.medianHertz }
  }

  /// Returns the table of one kind.
  func table(_ kind: AnalysisKind) -> TableLines {
    switch kind {
    case .volume: VolumeRows.schema.table(file.levels)
    case .pitch: PitchRows.schema.table(pitch ?? SpooledRows())
    case .loudness: LoudnessRows.schema.table(file.loudness?.moments ?? SpooledRows())
    }
  }
}
