import AudioFiles
import AudioGraph

/// Stands for the writer of an output until the sound is complete: it keeps and measures the samples.
///
/// The output itself exists meanwhile, without a sample: an output that cannot be made is reported before the work.
final class SpoolingWriter: AudioFileWriter {
  /// Samples so far.
  let spool: SoundSpool
  private let writer: any AudioFileWriter
  private let measurement: LevelMeasurement
  /// Failure of the measurement.
  private var failure: EngineError?

  /// Creates the stand-in of `writer`.
  init(_ writer: any AudioFileWriter, _ measurement: LevelMeasurement) {
    self.writer = writer
    self.measurement = measurement
    spool = SoundSpool(writer.format)
  }

  var format: AudioFormat { writer.format }
  var sampleFormat: SampleFormat { writer.sampleFormat }
  var samplesPerChannel: Int { spool.samplesPerChannel }
  var clippedSamples: Int { 0 }

  func write(_ base: UnsafePointer<Float>, stride: Int, count: Int) throws(AudioFileError) {
    try spool.append(base, stride: stride, count: count)
    guard failure == nil else { return }
    do throws(EngineError) {
      try measurement.add(base, stride: stride, count: count)
    } catch {
      failure = error
    }
  }

  /// Completes the spool; the output is still to be written.
  func finish() throws(AudioFileError) { try spool.seal() }

  /// Completes the spool.
  ///
  /// - Returns: nil: the output has its own remains.
  func breakOff() throws(AudioFileError) -> AudioFileError.Remains? {
    try spool.seal()
    return nil
  }

  /// Removes the output.
  func abandon() { writer.abandon() }

  /// Returns the levels of the sound. Call it once, after `finish`.
  ///
  /// - Throws: the reason for a failed measurement.
  func levels() throws(EngineError) -> LevelMeasurement.Levels {
    if let failure { throw failure }
    return measurement.finish()
  }
}
