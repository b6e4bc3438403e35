import Engine
import OfflineProcessing
import PitchDetection
import Platform

/// What a job of the command line has come to.
struct JobResult: Sendable {
  let processing: ProcessingResult
  /// The pitch of what the first speaker sends, its music and effects among it; empty where nobody asked for results.
  let pitch: SpooledRows<PitchPoint>
}
