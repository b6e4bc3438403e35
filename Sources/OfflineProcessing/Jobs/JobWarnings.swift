import AudioFiles
import AudioGraph
import Effects
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

  /// Returns a warning if the output does not have the loudness that was asked for.
  func events(of leveled: LoudnessTargetResult, path: String) -> [PipelineEvent] {
    guard !leveled.isReached else { return [] }
    let target = leveled.target.integrated.map { "\(Self.text($0)) LUFS" }
    let ceiling = "true peaks below \(Self.text(leveled.target.truePeak)) dBTP"
    let message =
      if let loudness = leveled.integrated {
        "the output has \(Self.text(loudness)) LUFS and \(Self.text(leveled.truePeak ?? -.infinity)) dBTP, with up to "
          + "\(Self.text(-leveled.limiterGain.value)) dB of limiting: \(target.map { "\($0) cannot be reached with " } ?? "")"
          + ceiling + (target == nil ? " cannot be reached" : "")
          + (leveled.obstacle.map { ", \(Self.reason($0))" } ?? "") + "; choose a lower loudness or a higher true peak"
      } else if leveled.target.integrated == nil {
        "the output has true peaks of \(Self.text(leveled.truePeak ?? -.infinity)) dBTP; choose a lower true peak"
      } else {
        "the sound has no loudness, as it is silent or shorter than 400 ms; its level stays as it is"
      }
    return [event(PipelineWarning(.loudness, "\(path): \(message)"), at: endPosition)]
  }

  private static func reason(_ obstacle: LoudnessTargetResult.Obstacle) -> String {
    switch obstacle {
    case .limiter: "because a few loud peaks hold the limiter at any gain"
    case .passes: "because the loudness jumps with the gain"
    case .codec: "because the codec changes the levels with each gain"
    }
  }

  /// Returns a level with one decimal, without the zero of a whole number.
  private static func text(_ level: Double) -> String {
    let tenths = Int((level * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let fraction = tenths.magnitude % 10
    return "\(sign)\(tenths.magnitude / 10)" + (fraction == 0 ? "" : ".\(fraction)")
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
