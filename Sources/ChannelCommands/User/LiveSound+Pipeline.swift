import AudioFiles
import AudioGraph
import CommandLineKit
import Engine
import Platform
import SoundOptions

/// The sound of a user in a pipeline.
extension LiveSound {
  /// Checks the outputs, and opens the published file; nil without one.
  ///
  /// - Throws: exit codes 64, 65, 66 and 73 for files.
  func open() throws -> AudioFileReader? {
    let published = try publishPath.map { try AudioFileReader.open(path: $0) }
    try outputs.check(beside: inputs)
    return published
  }

  /// Opens the devices of a pipeline that has not begun.
  ///
  /// - Throws: exit code 69 for a device that cannot be opened.
  func openDevices(of pipeline: AudioPipeline) throws {
    if let microphone { _ = try microphone.setSource(of: pipeline, channelCount: 1, options: deviceOptions) }
    if let loudspeaker {
      _ = try loudspeaker.addSink(
        to: pipeline, at: .playout, options: deviceOptions, overwrites: outputs.overwrites)
    }
  }

  /// Begins the recordings.
  func record(_ pipeline: AudioPipeline) throws {
    let paths = outputs.recordingPaths
    guard !paths.isEmpty else { return }
    try pipeline.recorder.start(paths, options: RecordingOptions(overwrite: outputs.overwrites))
  }

  /// Begins to publish the file, if there is one.
  ///
  /// - Returns: Whether the file has been published to its end; nil without a file.
  func publish(_ reader: AudioFileReader?, in pipeline: AudioPipeline) throws -> (() -> Bool)? {
    guard let reader else { return nil }
    let source = try FileSource(reader, sampleRate: 48_000, uid: 0, ready: pipeline.context.ready)
    let start = pipeline.tickCount
    try pipeline.setLocalSource(source)
    return { source.endPosition.map { (pipeline.tickCount - start) * 480 > $0 + 24_000 } == true }
  }
}
