import AudioFiles
import AudioGraph
import Glibc
import Platform

/// Measures the sound that a lossy kind of file has once it is decoded.
///
/// The file has no name: it is in `TMPDIR`, or else in /tmp, and goes with its descriptor.
///
/// Thread: one at a time.
struct EncodedTrial {
  /// Kind of the file, and the options of the output.
  let container: AudioContainer
  let options: OutputOptions

  /// Encodes and decodes the sound.
  ///
  /// - Parameters:
  ///   - pass: Gain and limiter.
  ///   - spool: Sound of the job.
  ///   - shouldStop: Called every 10 ms of audio; true ends the trial.
  /// - Returns: Levels of the decoded sound; nil if the trial was stopped.
  /// - Throws: `AudioFileError` of the temporary file, `EngineError` of the measurement.
  func levels(
    of pass: LevelingPass, over spool: SoundSpool, shouldStop: () -> Bool
  ) throws -> LevelMeasurement.Levels? {
    let folder = UnnamedFile.folder
    let descriptor = UnnamedFile.make(in: folder)
    guard descriptor >= 0 else { throw AudioFileError(.spool(errno, folder: folder), path: folder) }
    defer { close(descriptor) }
    let writer = try SndFileWriter(
      descriptor: descriptor, name: folder, container: container, format: spool.format, options: options)
    var isStopped = false
    _ = try LevelingPass.run([pass], over: spool) { _, base, stride, count in
      try writer.write(base, stride: stride, count: count)
      isStopped = shouldStop()
      return !isStopped
    }
    try writer.finish()
    return isStopped ? nil : try decode(descriptor, shouldStop)
  }

  private func decode(_ descriptor: Int32, _ shouldStop: () -> Bool) throws -> LevelMeasurement.Levels? {
    lseek(descriptor, 0, SEEK_SET)
    let reader = try AudioFileReader.open(descriptor: descriptor, name: UnnamedFile.folder)
    let measurement = try LevelMeasurement(reader.format, speakers: options.speakers)
    let block = 4_096
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: block * reader.format.channelCount)
    defer { samples.deallocate() }
    while true {
      let count = try reader.read(into: samples, stride: block, maximumCount: block)
      if count == 0 { return measurement.finish() }
      if shouldStop() { return nil }
      try measurement.add(samples, stride: block, count: count)
    }
  }
}
