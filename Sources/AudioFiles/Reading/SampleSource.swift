/// What an `AudioFileReader` reads from: stored samples or a decoding library.
protocol SampleSource: AnyObject {
  /// Samples per channel; nil where only the end will tell.
  var samplesPerChannel: Int? { get }

  /// Samples so far that were NaN or infinite.
  var nonFiniteSamples: Int { get }

  /// Where the first of them was; nil where there was none.
  var firstNonFinite: Int? { get }

  /// True once the end has come before it should.
  var isCutShort: Bool { get }

  /// Whether it can go back.
  var isSeekable: Bool { get }

  /// Reads up to `count` samples per channel into the planes at `base`. Returns: how many; 0 at the end.
  func read(
    into base: UnsafeMutablePointer<Float>, stride: Int, maximumCount count: Int
  ) throws(AudioFileError) -> Int

  /// Goes to the sample at `position`, counted from the first.
  func seek(to position: Int) throws(AudioFileError)

  /// What the end has shown.
  func warningsAtEnd() -> [AudioFileWarning]
}
