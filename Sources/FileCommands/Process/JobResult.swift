import Engine
import OfflineProcessing
import Platform

/// Result of one job of the command line.
struct JobResult: Sendable {
  let processing: ProcessingResult
  /// Pitch of the sound that the first speaker sends, with its music and effects; empty if no results are wanted.
  let pitch: SpooledRows<PitchRow>
}
