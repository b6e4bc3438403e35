import Engine
import Metering
import OfflineProcessing
import PitchDetection
import Platform

/// All that was found in one input.
struct Analysis: Sendable {
  let file: FileAnalysisResult
  /// Nil where it was not asked for.
  let pitch: SpooledRows<PitchPoint>?

  /// The table of one kind. Empty where it was not asked for.
  func table(_ kind: AnalysisKind) -> TableLines {
    switch kind {
    case .volume: VolumeRows.schema.table(file.levels)
    case .pitch: PitchRows.schema.table(pitch ?? SpooledRows())
    case .loudness: LoudnessRows.schema.table(file.loudness?.moments ?? SpooledRows())
    }
  }
}
