import Engine
import PitchDetection

/// What a job of the command line has come to.
struct JobResult: Sendable {
  let processing: ProcessingResult
  /// The pitch of the first voice; empty where nobody asked for results.
  let pitch: StoredRows<PitchPoint>
}
