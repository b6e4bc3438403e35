import AudioGraph
import Effects
import FrameObservers

/// The files that a job reads, open, and the formats that follow from them.
struct OpenedInputs {
  struct Voice {
    let uid: UInt32
    let reader: AudioFileReader
    var options: UserOptions
    var startSeconds = 0.0
    var isLocal = false
  }

  private(set) var voices: [Voice] = []
  let music: AudioFileReader?
  /// For what they know of their files; the effects are played by readers of their own, or pipes from memory.
  let effects: [AudioFileReader]
  let graphRate: Int
  let outputFormat: AudioFormat
  let outputSampleFormat: SampleFormat
  /// The voice whose formats the output takes.
  var first: Voice { voices.first { !$0.isLocal }! }

  init(_ job: FileProcessing) throws {
    let common = UserOptions(recordVolume: job.recordVolume, isVoiceOnly: job.isVoiceOnly, codec: job.codec)
    if let input = job.input {
      var options = common
      options.gain = job.gain
      options.panning = job.panning
      options.voicePitch = job.voicePitch
      voices.append(Voice(uid: 1, reader: try input.open(isCancelled: job.isCancelled), options: options))
    }
    for (index, speaker) in job.speakers.enumerated() {
      var options = common
      options.gain = speaker.gain
      options.panning = speaker.panning
      let reader = try AudioFileReader.open(path: speaker.path, isCancelled: job.isCancelled)
      voices.append(
        Voice(uid: UInt32(index + 2), reader: reader, options: options, startSeconds: speaker.startSeconds))
    }
    if let path = job.localPath {
      let reader = try AudioFileReader.open(path: path, isCancelled: job.isCancelled)
      voices.append(Voice(uid: 0, reader: reader, options: common, isLocal: true))
    }
    guard let first = voices.first(where: { !$0.isLocal })?.reader else {
      throw EngineError(.invalidArgument, "there is no input; give a file")
    }
    effects = try job.effects.map { effect in
      try AudioFileReader.open(path: effect.sound.path, isCancelled: job.isCancelled)
    }
    music = try job.music.map { try AudioFileReader.open(path: $0.path, isCancelled: job.isCancelled) }

    let formats = (voices.map(\.reader) + effects + [music].compactMap { $0 }).map(\.format)
    graphRate = job.codec != nil ? OpusOptions.sampleRate : job.sampleRate ?? formats.map(\.sampleRate).max()!
    // What is sent with a voice keeps its sides, whatever the voice is.
    let isSentInStereo =
      job.effects.contains { $0.sound.panning != .center }
      || (effects + [music].compactMap { $0 }).contains { $0.format.channelCount > 1 }
    if isSentInStereo, first.format.channelCount == 1 { voices[0].options.sentChannelCount = 2 }
    let isWide = isSentInStereo || voices.contains { $0.options.panning != .center }
    let widest = (voices.map(\.reader.format.channelCount) + [music?.format.channelCount ?? 1]).max()!
    outputFormat = try AudioFormat(
      sampleRate: job.sampleRate ?? (job.codec == nil ? graphRate : first.format.sampleRate),
      channelCount: job.channelCount ?? max(isWide ? 2 : 1, widest))
    outputSampleFormat = job.sampleFormat ?? first.sampleFormat
  }

  /// True where output samples can be others than the input's.
  func isChanged(by job: FileProcessing) -> Bool {
    let first = first.reader
    return voices.count > 1 || job.music != nil || !job.effects.isEmpty || job.codec != nil || job.gain.value != 0
      || job.panning != .center || (job.voicePitch?.ratio ?? .unchanged) != .unchanged
      || job.isVoiceOnly || job.recordVolume != .unchanged || job.playbackVolume != .unchanged
      || job.speakers.contains { $0.gain.value != 0 || $0.panning != .center }
      || first.format.sampleRate != outputFormat.sampleRate || first.format.channelCount > outputFormat.channelCount
      || first.sampleFormat.bitDepth > outputSampleFormat.bitDepth || job.observers.contains(where: \.isWriter)
  }
}
