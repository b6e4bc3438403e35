public import AudioGraph

/// Writes planar Float32 to a file or a pipe.
///
/// Thread: one at a time; calls write to the disk and may wait, so never on the audio thread.
/// A program that writes to pipes ignores SIGPIPE; it then gets an error with `isBrokenPipe`.
public protocol AudioFileWriter: AnyObject {
  /// Rate and channels.
  var format: AudioFormat { get }

  /// How samples are stored.
  var sampleFormat: SampleFormat { get }

  /// Samples per channel that were taken so far.
  var samplesPerChannel: Int { get }

  /// Samples that lay outside the range of the stored integers and were cut to it.
  var clippedSamples: Int { get }

  /// What the file does not hold as it was asked for.
  var warnings: [AudioFileWarning] { get }

  /// Writes `count` samples of each channel from planes that begin `stride` samples apart at `base`.
  ///
  /// Throws: `write` where the disk is full or fails. What was written stays; every later call throws the same.
  func write(_ base: UnsafePointer<Float>, stride: Int, count: Int) throws(AudioFileError)

  /// Writes `count` samples of silence on every channel; where the file can have holes, they take no room.
  ///
  /// Throws: as `write`.
  func writeSilence(count: Int) throws(AudioFileError)

  /// Writes what is gathered: whoever reads along has it, and a kill does not lose it. Throws: as `write`.
  func deliver() throws(AudioFileError)

  /// Writes what is left, closes the file and gives it its own name.
  ///
  /// Throws: the error of this or of an earlier write; the file is then closed as it is, a `.part` keeps that name.
  func finish() throws(AudioFileError)

  /// Writes what is left and closes the file under the name that it grows under: one in place has its own.
  ///
  /// Returns: what is there now; nil of a stream. Throws: as `finish`.
  func breakOff() throws(AudioFileError) -> AudioFileError.Remains?

  /// Closes the file and removes it; after `finish` it does nothing.
  func abandon()
}

extension AudioFileWriter {
  public var warnings: [AudioFileWarning] { [] }

  /// What a library gathers is its own.
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
      // The planes of all channels are the same one.
      try write(zeros, stride: 0, count: min(left, block))
      left -= block
    }
  }
}

/// Opens outputs of any kind.
public enum AudioFileOutput {
  /// Begins a file at `path`, of the kind that its extension means or of `container`.
  ///
  /// - Parameter isCancelled: asked while nobody takes the bytes of a pipe; true ends the wait after two seconds.
  ///   Thread: any.
  /// - Throws: `usage` for an unknown kind or one that cannot hold such samples, `cannotCreate` where a file exists.
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
