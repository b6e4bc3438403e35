/// Tracks the pitch of one voice through a recording.
///
/// This module has no tracker, so that it stays free of the license of FFTW. `import AudioPipeWithPitch` installs the
/// one of `PitchDetection`: `analysis.measuresPitch = true`.
///
/// Thread: one at a time.
public protocol PitchTracking: AnyObject {
  /// Takes the next 10 ms of one channel.
  ///
  /// - Parameters:
  ///   - samples: Samples of the channel.
  ///   - samplesPerChannel: Number of samples.
  /// - Returns: The next row; nil until enough samples have come.
  func process(_ samples: UnsafePointer<Float>, samplesPerChannel: Int) -> PitchRow?

  /// Ends the recording. Called until it returns nil.
  ///
  /// - Returns: One of the remaining rows; nil if there are no more.
  func finish() -> PitchRow?
}
