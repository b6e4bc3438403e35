import AudioGraph

/// What was wrong with the files of a job, as events at the place in its time where it was.
struct JobWarnings {
  /// That of the graph.
  let sampleRate: Int
  /// Where the job has ended.
  let endPosition: Int

  /// - Parameter isPlayed: Whether a player has read it, which tells of samples that are no numbers itself.
  func events(of reader: AudioFileReader, from start: Int, isPlayed: Bool = false) -> [PipelineEvent] {
    reader.warnings.filter { !isPlayed || $0.code != .notFinite }.map { warning in
      event(
        PipelineWarning(warning.code, "\(reader.path): \(warning.message)"),
        at: start + warning.position * sampleRate / reader.format.sampleRate)
    }
  }

  func events(of effect: FileProcessing.Effect, _ reader: AudioFileReader) -> [PipelineEvent] {
    events(of: reader, from: Int((effect.startSeconds * Double(sampleRate)).rounded()), isPlayed: true)
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
