package import CommandLineKit
package import Engine
package import JSON
import OfflineProcessing
import Platform

/// Beginnings of a pipeline's recordings, and the first one that failed, from the pipeline's events.
///
/// Thread: any but the audio thread.
package final class RecordingWatch: Sendable {
  private struct State {
    var starts: [RecordingStart] = []
    var failure: CommandFailure?
  }

  private let state = Guarded(State())

  package init() {}

  /// Takes an event of the pipeline.
  package func take(_ event: PipelineEvent) {
    switch event.kind {
    case .recordingStarted(let start): state.withLock { $0.starts.append(start) }
    case .recordingFailed(let path, let reason):
      let failure = CommandFailure(.inputOutput, reason.hasPrefix(path) ? reason : "\(path): \(reason)")
      state.withLock { $0.failure = $0.failure ?? failure }
    default: break
    }
  }

  /// The failure of the first file that could not be created or written; nil if there is none.
  package var failure: CommandFailure? { state.withLock { $0.failure } }

  /// Writes the field `recordings`, with the first sample of each file.
  package func write(_ json: inout JSONWriter) {
    let starts = state.withLock { $0.starts }
    json.array("recordings") { json in
      for start in starts { json.object { start.write(&$0) } }
    }
  }
}
