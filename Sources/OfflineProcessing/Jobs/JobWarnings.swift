import AudioFiles
import AudioGraph
import Engine
import Playback

/// Warnings about the files of a job, as events at their positions in the job.
struct JobWarnings {
  /// Rate of the graph, in Hz.
  let sampleRate: Int
  /// End of the job, in samples of the graph.
  let endPosition: Int

  /// Returns the warnings about a file.
  ///
  /// - Parameters:
  ///   - reader: reader of the file.
  ///   - start: position of the file's first sample, in samples of the graph.
  ///   - player: player of the file; it reports NaN and infinite samples, and a file that breaks off, itself.
  func events(of reader: AudioFileReader, from start: Int, playedBy player: SoundPlayer? = nil) -> [PipelineEvent] {
    let isToldBroken = player?.failure != nil
    return reader.warnings.filter { warning in
      player == nil || warning.code != .notFinite && !(warning.code == .length && isToldBroken)
    }.map { warning in
      event(
        PipelineWarning(PipelineWarning.Code(warning.code), "\(reader.path): \(warning.message)"),
        at: start + warning.position * sampleRate / reader.format.sampleRate)
    }
  }

  func events(of writer: any AudioFileWriter, path: String) -> [PipelineEvent] {
    writer.warnings.map {
      event(PipelineWarning(PipelineWarning.Code($0.code), "\(path): \($0.message)"), at: $0.position)
    }
  }

  func events(of effect: FileProcessing.Effect, _ reader: AudioFileReader, playedBy player: SoundPlayer)
    -> [PipelineEvent]
  {
    events(of: reader, from: Int((effect.startSeconds * Double(sampleRate)).rounded()), playedBy: player)
  }

  /// Returns a warning for an effect that repeats forever and begins after all other sounds.
  ///
  /// Such an effect does not lengthen the job, and is not heard.
  func unheard(_ effect: FileProcessing.Effect) -> [PipelineEvent] {
    guard effect.sound.plays == nil, effect.startSeconds * Double(sampleRate) >= Double(endPosition) else { return [] }
    let message = "effect \(effect.soundID) is not heard: it repeats until all others end, and begins after that"
    return [event(PipelineWarning(.notHeard, message), at: endPosition)]
  }

  private func event(_ warning: PipelineWarning, at position: Int) -> PipelineEvent {
    let position = min(position, endPosition)
    return PipelineEvent(
      .warning(warning), tickCount: FrameSchedule(sampleRate: sampleRate).frameCount(holding: position),
      samplePosition: position, sampleRate: sampleRate)
  }
}
