public import AudioGraph

/// Writes planar Float32 to a file or a pipe.
///
/// Thread: one at a time; calls write to the disk and may wait, so never on the audio thread.
/// A program that writes to pipes ignores SIGPIPE; it then gets an error with `isBrokenPipe`.
public protocol AudioFileWriter: AnyObject {
  /// Sample rate and channels.
  var format: AudioFormat { get }

  /// Stored format of the samples.
  var sampleFormat: SampleFormat { get }

  /// Samples per channel taken so far.
  var samplesPerChannel: Int { get }

  /// Count of samples outside the range of the stored integers, which were cut to it.
  var clippedSamples: Int { get }

  /// Warnings about requested properties that the file does not have.
  var warnings: [AudioFileWarning] { get }

  /// Stores the time of the first sample, before that sample is written. A stream does not have it.
  ///
  /// - Throws: `write` if the disk is full or fails.
  func setFirstSample(_ first: FirstSample) throws(AudioFileError)

  /// Writes `count` samples of each channel from planes that begin `stride` samples apart at `base`.
  ///
  /// After an error, the written samples stay, and every later call throws the same error.
  ///
  /// - Throws: `write` if the disk is full or fails.
  func write(_ base: UnsafePointer<Float>, stride: Int, count: Int) throws(AudioFileError)

  /// Writes `count` samples of silence on every channel; in a file that can have holes, they take no space.
  ///
  /// - Throws: `write` if the disk is full or fails.
  func writeSilence(count: Int) throws(AudioFileError)

  /// Writes the gathered samples, so that other readers of the file get them, and a kill does not lose them.
  ///
  /// - Throws: `write` if the disk is full or fails.
  func deliver() throws(AudioFileError)

  /// Writes the remaining samples, closes the file and gives it its own name.
  ///
  /// After an error, the file is closed as it is; a `.part` keeps that name.
  ///
  /// - Throws: The error of this or of an earlier write.
  func finish() throws(AudioFileError)

  /// Writes the remaining samples and closes the file under its working name; a file in place has its own name.
  ///
  /// - Returns: The remaining file; nil for a stream.
  /// - Throws: The error of this or of an earlier write.
  func breakOff() throws(AudioFileError) -> AudioFileError.Remains?

  /// Closes the file and removes it; after `finish` it does nothing.
  func abandon()
}

extension AudioFileWriter {
  public var warnings: [AudioFileWarning] { [] }

  /// Does nothing: the file has no place for it.
  public func setFirstSample(_ first: FirstSample) throws(AudioFileError) {}

  /// Does nothing: a library keeps its gathered samples.
  public func deliver() throws(AudioFileError) {}

  /// Writes zeros.
  public func writeSilence(count: Int) throws(AudioFileError) { try writeZeros(count) }

  func writeZeros(_ count: Int) throws(AudioFileError) {
    let block = 4_096
    let zeros = UnsafeMutablePointer<Float>.allocate(capacity: block)
    defer { zeros.deallocate() }
    zeros.initialize(repeating: 0, count: block)
    var left = count
    while left > 0 {
      // All channels use the same plane.
      try write(zeros, stride: 0, count: min(left, block))
      left -= block
    }
  }
}

/// Opens outputs of any kind.
public enum AudioFileOutput {
  /// Begins a file at `path`, of the kind that its extension means or of `container`.
  ///
  /// - Parameters:
  ///   - path: Path of the file.
  ///   - format: Sample rate and channels.
  ///   - options: Options of the output.
  ///   - container: Kind of the file; nil: by the extension.
  ///   - isCancelled: Called while no reader takes the bytes of a pipe; true ends the wait after two seconds. Thread:
  ///     any.
  /// - Throws: `usage` for an unknown kind or one that cannot hold such samples, `cannotCreate` if the file exists.
  public static func create(
    path: String, format: AudioFormat, options: OutputOptions, container: AudioContainer? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(AudioFileError) -> any AudioFileWriter {
    let kind: AudioContainer
    if let container { kind = container } else { kind = try AudioContainer.forOutput(path: path) }
    if kind == .wav { return try WAVWriter(path: path, format: format, options: options, isCancelled: isCancelled) }
    return try SndFileWriter(path: path, container: kind, format: format, options: options, isCancelled: isCancelled)
  }
}
