import AudioFiles
import AudioGraph
import Engine
import Playback

/// What was wrong with the files of a job, as events at the place in its time where it was.
struct JobWarnings {
  /// That of the graph.
  let sampleRate: Int
  /// Where the job has ended.
  let endPosition: Int

  /// - Parameter player: What has read it: that tells itself of samples that are no numbers, and of a file that breaks
  ///   off.
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

  /// What is repeated for ever makes nothing longer, and is not heard behind everything.
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
