import AudioFiles
import AudioGraph
import CommandLineKit
import Engine
import Glibc
import OfflineProcessing
import Platform
import SoundOptions

/// The outputs of `rtp receive` while a pipeline runs. They begin together, with the first packet.
final class ReceivedOutputs {
  private let options: RTPOptions
  private let pipeline: AudioPipeline
  private let console: Console
  private let pipe: SoundPipe?
  private var program: ProgramObserver?
  /// The files, and the first that failed.
  let files = RecordingWatch()
  private var hasBegun = false
  private var hasFiles = false
  private var isNewFolder = false

  /// Checks the outputs and connects them.
  ///
  /// - Throws: exit code 73 for a file that exists; 69 for a program that does not.
  init(_ options: RTPOptions, _ pipeline: AudioPipeline, _ console: Console) throws {
    self.options = options
    self.pipeline = pipeline
    self.console = console
    let output = options.output
    if let path = output.filePath {
      try ResultFile(path: path, mayReplace: options.overwrites).check()
      _ = try AudioContainer.forOutput(path: path)
    }
    try output.program?.check()
    if let folder = OutputFolder(output.eachFolder) {
      isNewFolder = try folder.make()
      try Self.check(folder.path, mayReplace: options.overwrites)
    }
    let format = try AudioFormat(sampleRate: output.sampleRate ?? 48_000, channelCount: options.channelCount)
    pipe = output.path == "-" ? try SoundPipe(pipeline, format: format, raw: output.raw) : nil
  }

  deinit {
    if isNewFolder { OutputFolder(options.output.eachFolder)?.removeIfEmpty() }
  }

  /// Whether an output has failed or lost its reader.
  var hasEnded: Bool { files.failure != nil || pipe?.hasEnded == true }

  /// Holds back the silence on stdout while no packet comes.
  func holdSilence(_ isIdle: Bool) { pipe?.hold(isIdle) }

  /// Begins the files and the sound on stdout, once.
  func begin() throws {
    guard !hasBegun else { return }
    hasBegun = true
    pipe?.begin()
    program = try options.output.program.map { [console] program in
      try pipeline.attach(program, isCancelled: { InterruptHandler.pending != nil }) { console.log.warning($0) }
    }
    if !hasFiles { try beginFiles() }
  }

  /// Lets the files begin with the first user: a source plays at once when its second packet has come, and may be ahead
  /// of a later `begin`.
  func beginFilesWithFirstUser() throws { try beginFiles(waitsForUser: true) }

  private func beginFiles(waitsForUser: Bool = false) throws {
    hasFiles = true
    var paths: [RecordingPosition: String] = [:]
    paths[.playback] = options.output.filePath
    paths[.eachUser] = options.output.eachPath
    guard !paths.isEmpty else { return }
    var recording = RecordingOptions(sampleRate: options.output.sampleRate, overwrite: options.overwrites)
    recording.holdsSilence = true
    recording.waitsForUser = waitsForUser
    try pipeline.recorder.start(paths, options: recording)
  }

  /// Handler of the pipeline's events.
  var eventHandler: @Sendable (PipelineEvent) -> Void {
    { [files] event in files.take(event) }
  }

  /// Ends the outputs and the pipeline.
  ///
  /// - Parameter soundEnd: end of the sound, in samples of the pipeline's time; nil: now.
  /// - Throws: exit code 74 for a file that could not be written; `BrokenPipe` if the reader of stdout has gone; the
  ///   failure of the program.
  func finish(soundEnd: Int?) throws {
    // Nothing is written beyond the stream's end, however long the wait for it was.
    if let soundEnd { pipeline.recorder.limit(to: soundEnd) }
    if hasBegun { try pipeline.recorder.stop() }
    pipeline.stop()
    if let milliseconds = pipe?.droppedMilliseconds, milliseconds > 0 {
      console.log.warning(
        "\(milliseconds) ms of the sound were dropped, since the reader of stdout was too slow; let it read on in time")
    }
    let ending = Result { try pipe?.finish() }
    try program?.finish()
    if let failure = files.failure { throw failure }
    try ending.get()
  }

  /// Checks that no file of a source would be overwritten.
  private static func check(_ folder: String, mayReplace: Bool) throws(CommandFailure) {
    guard !mayReplace else { return }
    guard let name = folderNames(folder)?.first(where: { $0.hasPrefix("user.") && $0.hasSuffix(".wav") }) else {
      return
    }
    throw CommandFailure(
      .cannotCreate,
      "\(folder): \(name) of an earlier run is there already; choose another folder, or allow it with --overwrite")
  }
}
