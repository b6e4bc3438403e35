import AudioGraph
import AudioPipeWithPitch
import Engine
import FrameObservers
import OfflineProcessing
import Pictures
import SoundOptions

/// Collects the data for the picture of a job's output.
struct OutputRecorder: Sendable {
  private let sound = SoundTrack(at: .mixed)
  private let pitch: PitchTrack
  private let pitchSeries = Guarded(PitchSeries())

  init() {
    pitch = PitchTrack(at: .mixed, uid: nil, keepsRows: false) { [pitchSeries] row in
      pitchSeries.withLock { $0.append(row) }
    }
  }

  /// Registers the observers, before the job runs.
  func observe(_ pipeline: AudioPipeline) throws {
    try sound.observe(pipeline)
    // A strong reference would be a cycle of the pipeline.
    _ = try pipeline.observe(pitch.request { [weak pipeline] in pipeline?.endPosition })
  }

  /// Returns the picture of a job that has run. Call it once.
  func picture(_ result: ProcessingResult, of job: FileJob) throws -> SoundPicture {
    let series = sound.series
    let seconds = series?.seconds ?? 0
    _ = try pitch.finish(seconds: seconds)
    let (title, origin) =
      switch job.output {
      case .none: (job.name, "output that process would write")
      case .standardOutput: ("stdout", "output of process from \(job.name)")
      case .file(let path, _): (path, "output of process from \(job.name)")
      }
    return SoundPicture(
      title: title,
      subtitle: SoundPicture.subtitle(origin, result.outputFormat, seconds: seconds, isWhole: !result.isCancelled),
      sound: series, pitch: pitchSeries.withLock { $0 },
      events: result.events)
  }
}
