import AudioFiles

/// End of a job's output: with a loudness target, its sound is measured, leveled and written here.
struct JobOutput {
  /// The finished output.
  struct End {
    /// Remains of an output that is not whole.
    var remains: AudioFileError.Remains?
    /// Failure of an output that has lost its reader; it affects only the output.
    var failure: AudioFileError?
    /// Result of the loudness target; nil without one.
    var loudness: LoudnessTargetResult?
    /// Whether the job was cancelled.
    var isCancelled: Bool
  }

  let sink: FileSink?
  let writer: (any AudioFileWriter)?
  let leveler: OutputLeveler?
  /// Whether the output replaces a file that was there before the job.
  let replacesFile: Bool

  /// Finishes the output, or breaks it off if it is not whole.
  ///
  /// - Parameters:
  ///   - isFailed: whether an input has failed.
  ///   - isCut: whether the job was cancelled before its last tick.
  ///   - shouldStop: called while trials search the gain; true ends them.
  ///   - progress: called with the share of the passes behind the first that are done, 0 to 1.
  /// - Throws: `AudioFileError` of the output or the temporary file, `EngineError` of a measurement.
  func finish(
    isFailed: Bool, isCut: Bool, shouldStop: () -> Bool, progress: (Double) -> Void
  ) throws -> End {
    var end = End(isCancelled: isCut)
    do {
      guard let leveler, let writer else {
        if isWhole(isFailed, end) { try sink?.finish() } else { end.remains = try sink?.breakOff() }
        return end
      }
      end.isCancelled = try search(leveler, allowsTrials: !isFailed && !isCut, shouldStop, progress) || isCut
      end.loudness = try leveler.write(progress: progress)
      if isWhole(isFailed, end) { try writer.finish() } else { end.remains = try writer.breakOff() }
    } catch let error as AudioFileError where error.isBrokenPipe {
      end.failure = error
    }
    return end
  }

  private func isWhole(_ isFailed: Bool, _ end: End) -> Bool { !isFailed && !(end.isCancelled && replacesFile) }

  /// Completes the kept sound and finds its gain; an error removes the output, which has no sound yet.
  ///
  /// - Returns: whether the trials were stopped.
  private func search(
    _ leveler: OutputLeveler, allowsTrials: Bool, _ shouldStop: () -> Bool, _ progress: (Double) -> Void
  ) throws -> Bool {
    do {
      try sink?.finish()
      return try leveler.search(allowsTrials: allowsTrials, shouldStop: shouldStop, progress: progress)
    } catch {
      writer?.abandon()
      throw error
    }
  }
}
