import AudioGraph
import CommandLineKit
import Devices
import Engine
import OfflineProcessing
import Playback
import SoundOptions

/// Events of a live pipeline: to the log, and as JSON lines if they are wanted.
///
/// Thread: any but the audio thread.
final class LiveEvents: Sendable {
  private let console: Console
  private let showsLines: Bool
  /// The recorded files.
  let files = RecordingWatch()
  private let firstFailure = Guarded<CommandFailure?>(nil)
  private let musicEnded = Guarded(false)

  init(_ console: Console, lines: Bool) {
    self.console = console
    showsLines = lines
  }

  /// The failure that ends the command; nil if there is none.
  var failure: CommandFailure? { firstFailure.withLock { $0 } }

  /// Whether music has ended, or cannot be played.
  var hasMusicEnded: Bool { musicEnded.withLock { $0 } }

  /// Takes the pipeline's events from now on.
  func attach(to pipeline: AudioPipeline) {
    pipeline.onEvent { [self] event in take(event) }
  }

  private func take(_ event: PipelineEvent) {
    files.take(event)
    switch event.kind {
    case .warning(let warning) where warning.code == .cannotOpen:
      fail(CommandFailure(.badData, warning.message))
    case .warning(let warning): console.log.warning("\(warning)")
    case .recordingFailed: if let failure = files.failure { fail(failure) }
    case .deviceState(let change) where change.state == .unplugged:
      console.log.warning("the \(change.direction == .capture ? "capture" : "playout") device '\(change.id)' is gone")
    case .localAudioState(.failed, .interrupted):
      console.log.warning(
        "the samples of the device do not move; its sound server hangs, or the system is suspended; sound continues by "
          + "itself")
    case .localAudioState(.failed, .noPlayoutDevice):
      console.log.warning("no device is left; sound is dropped until one returns")
    case .localAudioState(.failed, _): console.log.warning("no device is left; the sound is silent until one returns")
    case .musicFinished: musicEnded.withLock { $0 = true }
    case .music(.failed, _):
      // The warning before it names the fault; the beginning of a file that breaks off was played.
      musicEnded.withLock { $0 = true }
    default: break
    }
    guard showsLines else { return }
    do {
      try console.output.writeLine(event.json)
    } catch {
      fail(error as? CommandFailure ?? .brokenPipe)
    }
  }

  private func fail(_ failure: CommandFailure) { firstFailure.withLock { $0 = $0 ?? failure } }
}
