/// Source of an `AudioFileReader`: stored samples or a decoding library.
protocol SampleSource: AnyObject {
  /// Samples per channel; nil if only the end shows them.
  var samplesPerChannel: Int? { get }

  /// Count of samples so far that were NaN or infinite.
  var nonFiniteSamples: Int { get }

  /// Position of the first sample that was NaN or infinite; nil if there was none.
  var firstNonFinite: Int? { get }

  /// Whether the end has come early.
  var isCutShort: Bool { get }

  /// Whether the source can go back.
  var isSeekable: Bool { get }

  /// Reads up to `count` samples per channel into the planes at `base`.
  ///
  /// - Returns: Samples per channel; 0 at the end.
  func read(
    into base: UnsafeMutablePointer<Float>, stride: Int, maximumCount count: Int
  ) throws(AudioFileError) -> Int

  /// Goes to the sample at `position`, counted from the first.
  func seek(to position: Int) throws(AudioFileError)

  /// Returns the warnings that the end of the source has shown.
  func warningsAtEnd() -> [AudioFileWarning]
}
