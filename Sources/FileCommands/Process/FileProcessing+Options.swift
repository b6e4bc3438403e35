import AudioGraph
import CommandLineKit
import Effects
import Engine
import FrameObservers
import OfflineProcessing
import OpusCodec
import Playback
import SoundOptions

extension FileProcessing {
  /// Creates one job of a command line for the library.
  ///
  /// - Throws: the reason for which the job is impossible, as `FileJob.refusal`.
  init(_ job: FileJob, of options: ProcessOptions) throws {
    self.init()
    if let refusal = job.refusal { throw refusal }
    input = try job.input?.opened(raw: options.rawInput)
    output =
      switch job.output {
      case .none: .none
      case .standardOutput: .descriptor(1, name: Self.standardOutputName)
      case .file(let path, let container): .path(path, container: container)
      }
    speakers = try options.speakers.map { speaker in
      Speaker(
        path: speaker.path, gain: Decibels(speaker.gainDecibels), panning: try Panning(speaker.pan),
        startSeconds: speaker.startSeconds)
    }
    localPath = options.listenerPath
    sampleRate = options.sampleRate
    channelCount = options.channelCount
    sampleFormat = options.sampleFormat
    dither = options.dither
    loudnessTarget = options.loudnessTarget
    seed = UInt64(options.seed)
    overwrite = options.overwrites
    keepsTags = options.keepsTags
    gain = Decibels(options.gainDecibels)
    panning = try Panning(options.pan ?? 0)
    recordVolume = try Volume(Double(options.recordVolume))
    voicePitch = options.voicePitch
    isVoiceOnly = options.isVoiceOnly
    playbackVolume = try Volume(Double(options.playbackVolume))
    music = try options.music.map {
      Music(
        path: $0.path, volume: try Volume(Double($0.volume)), repetition: $0.cycle < 0 ? .forever : .times($0.cycle))
    }
    effects = try options.effects.map { effect in
      Effect(
        soundID: effect.soundID,
        sound: SoundEffect(
          path: effect.path, repetition: effect.loopCount < 0 ? .forever : .times(effect.loopCount + 1),
          pitch: try PitchRatio(effect.pitch),
          panning: try Panning(effect.pan), gain: try Volume(Double(effect.gain))),
        startSeconds: effect.startSeconds)
    }
    codec = options.codec.map { OpusOptions($0) }
    programs = [options.frameProgram].compactMap { $0 }
    for index in programs.indices { programs[index].environment["AUDIOPIPE_INPUT"] = job.name }
    isCancelled = { InterruptHandler.pending != nil }
    if options.isPaced { pace = .clock(SystemClock()) }
    if options.wantsResults(of: job) {
      levelInterval = Self.reportInterval
      measuresLoudness = true
    }
    if options.wantsResults(of: job) || job.picturePath != nil { speakerInterval = Self.reportInterval }
  }

  /// Name of the stream to stdout in messages.
  static let standardOutputName = "stdout"

  /// Span of one row of a report, in milliseconds.
  static let reportInterval = 200
}
