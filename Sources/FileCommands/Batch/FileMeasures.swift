import AudioFiles
import AudioGraph
import AudioPipeWithPitch
import BatchProcessing
import Engine
import FrameObservers
import JSON
import Metering
import OfflineProcessing
import Platform

/// Measurements of one file.
struct FileMeasures {
  private let file: FileAnalysisResult

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
    analysis.measuresPitch = options.kinds.contains(.pitch)
    analysis.keepsPitch = options.writesTables
    analysis.keepsLevels = options.writesTables && options.kinds.contains(.volume)
    if options.writesSegments { analysis.speechSegmentation = SpeechSegmentation() }
    file = try analysis.run { seconds, total in
      if let total, total > 0 { progress(min(1, seconds / total)) }
    }
  }

  /// Warnings about the file.
  var warnings: [String] {
    let impulsive =
      file.impulsiveSeconds > 0
      ? [
        "\(JSONWriter.digits(file.impulsiveSeconds, 1)) s of short sounds, such as keystrokes, were left out of the segments"
      ]
      : []
    return file.warnings.map(\.message) + impulsive
  }

  /// Segments of speech; empty if they are not wanted.
  var segments: SpooledRows<SpeechSegment> { file.speechSegments ?? SpooledRows() }

  /// Writes the measurements into a row.
  func fill(_ row: inout ResultRow) {
    row.duration = file.durationSeconds
    row.rms = file.total.rmsDBFS
    row.clippedSamples = file.clippedSamples
    row.speechShare = file.speechShare
    row.integratedLoudness = file.loudness?.integrated
    row.truePeak = file.loudness?.truePeak
    row.pitchMedian = file.pitch?.medianHertz
    row.pitchRange = file.pitch?.rangeHertz
  }

  /// Returns the table of one kind.
  func table(_ kind: AnalysisKind) -> TableLines {
    switch kind {
    case .volume: VolumeRows.schema.table(file.levels)
    case .pitch: PitchRows.schema.table(file.pitch?.rows ?? SpooledRows())
    case .loudness: LoudnessRows.schema.table(file.loudness?.moments ?? SpooledRows())
    }
  }
}
