import AudioFiles
import AudioGraph
import Effects
import Engine
import FrameObservers
import OpusCodec
import Playback

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
  /// Readers for the properties of the effects' files; separate readers play the effects, or memory does for pipes.
  let effects: [AudioFileReader]
  let graphRate: Int
  let outputFormat: AudioFormat
  let outputSampleFormat: SampleFormat
  /// Voice that gives the output its formats.
  var first: Voice { voices.first { !$0.isLocal }! }

  /// Loudspeakers of the first voice if the output has as many channels; 0 otherwise.
  var outputSpeakers: UInt32 {
    first.reader.format.channelCount == outputFormat.channelCount ? first.reader.speakers : 0
  }

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
      throw EngineError(.invalidArgument, "no input was given; give a file")
    }
    try Self.check(voices, job)
    effects = try job.effects.map { effect in
      try AudioFileReader.open(path: effect.sound.path, isCancelled: job.isCancelled)
    }
    try Self.check(effects, job, beside: first)
    music = try job.music.map { try AudioFileReader.open(path: $0.path, isCancelled: job.isCancelled) }

    let formats = (voices.map(\.reader) + effects + [music].compactMap { $0 }).map(\.format)
    graphRate = job.codec != nil ? OpusOptions.sampleRate : job.sampleRate ?? formats.map(\.sampleRate).max()!
    // Sound sent with a voice keeps its channels, whatever the voice is.
    let isSentInStereo =
      job.effects.contains { $0.sound.panning != .center }
      || (effects + [music].compactMap { $0 }).contains { $0.format.channelCount > 1 }
    if isSentInStereo, first.format.channelCount == 1 { voices[0].options.sentChannelCount = 2 }
    let isWide = isSentInStereo || voices.contains { $0.options.panning != .center }
    let widest = voices.map(\.reader.format.channelCount).max()!
    outputFormat = try AudioFormat(
      sampleRate: job.sampleRate
        ?? job.outputRate(insteadOf: job.codec == nil ? graphRate : first.format.sampleRate),
      channelCount: job.channelCount ?? max(isWide ? 2 : 1, widest))
    outputSampleFormat = job.sampleFormat ?? first.sampleFormat
  }

  /// Checks the voices, and names the file in messages instead of a user.
  private static func check(_ voices: [Voice], _ job: FileProcessing) throws(EngineError) {
    for voice in voices where voice.reader.format.channelCount > 2 {
      let what = "\(voice.reader.path) has \(voice.reader.format.channelCount) channels"
      let remedy = "make a mono or stereo file of it first"
      guard job.codec == nil else {
        throw EngineError(.invalidArgument, "\(what), and the codec takes one or two; \(remedy)")
      }
      guard voice.options.panning == .center else {
        throw EngineError(.invalidArgument, "\(what), and only one or two can be panned; \(remedy)")
      }
      guard voice.options.voicePitch == nil else {
        throw EngineError(.invalidArgument, "\(what), and only of one or two can the pitch be changed; \(remedy)")
      }
    }
  }

  /// Checks the effects. An effect of more than two channels can be played, but neither panned nor changed in pitch.
  ///
  /// An effect cannot be panned beside a voice of more than two channels either.
  private static func check(
    _ effects: [AudioFileReader], _ job: FileProcessing, beside first: AudioFileReader
  ) throws(EngineError) {
    let remedy = "make a mono or stereo file of it first"
    for (effect, reader) in zip(job.effects, effects) {
      let what = "\(reader.path) has \(reader.format.channelCount) channels"
      let isPanned = effect.sound.panning != .center
      if reader.format.channelCount > 2, isPanned || effect.sound.pitch != .unchanged {
        let wish = isPanned ? "only one or two can be panned" : "only of one or two can the pitch be changed"
        throw EngineError(.invalidArgument, "effect \(effect.soundID): \(what), and \(wish); \(remedy)")
      }
      if isPanned, first.format.channelCount > 2 {
        let others = "\(first.path), with which it is sent, has \(first.format.channelCount) channels"
        throw EngineError(
          .invalidArgument, "effect \(effect.soundID) cannot be panned: \(others); make a mono or stereo file of that")
      }
    }
  }
}
