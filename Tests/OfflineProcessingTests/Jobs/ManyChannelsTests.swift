import AudioFiles
import AudioGraph
import Effects
import Engine
import FileTestSupport
import FrameObservers
import Glibc
import OfflineProcessing
import Playback
import TestSupport
import Testing

/// Files of more than two channels, and what is sent with voices.
@Suite(.timeLimit(.minutes(10))) struct ManyChannelsTests {
  private let files = TestFiles()

  /// A constant in each channel, which no gain or filter moves.
  private func levels(_ name: String, _ levels: [Float], seconds: Double = 0.2) throws -> String {
    try files.write(name, levels.map { [Float](repeating: $0, count: Int(48_000 * seconds)) }, as: .float32)
  }

  /// ITU-R BS.775: the middle and what is behind 3 dB down, low frequencies left out, divided by the sum of one side's
  /// weights.
  private static let layouts: [(levels: [Float], left: Double, right: Double)] = {
    let low = 0.5.squareRoot()
    return [
      ([0.1, 0.2, 0.4], (0.1 + low * 0.4) / (1 + low), (0.2 + low * 0.4) / (1 + low)),
      ([0.1, 0.2, 0.3, 0.4], (0.1 + low * 0.3) / (1 + low), (0.2 + low * 0.4) / (1 + low)),
      ([0.1, 0.2, 0.3, 0.4, 0.5], (0.1 + low * 0.7) / (1 + 2 * low), (0.2 + low * 0.8) / (1 + 2 * low)),
      ([0.1, 0.2, 0.3, 0.9, 0.4, 0.5], (0.1 + low * 0.7) / (1 + 2 * low), (0.2 + low * 0.8) / (1 + 2 * low)),
      (
        [0.1, 0.2, 0.3, 0.9, 0.6, 0.4, 0.5], (0.1 + low * 0.7 + 0.3) / (1.5 + 2 * low),
        (0.2 + low * 0.8 + 0.3) / (1.5 + 2 * low)
      ),
      (
        [0.1, 0.2, 0.3, 0.9, 0.4, 0.5, 0.6, 0.7], (0.1 + low * 1.3) / (1 + 3 * low),
        (0.2 + low * 1.5) / (1 + 3 * low)
      ),
    ]
  }()

  @Test(
    "three to eight channels are mixed down by ITU-R BS.775",
    .shows("process: many channels"),
    arguments: layouts.indices, ["input", "music", "effect"])
  func downmix(layout: Int, kind: String) throws {
    let layout = Self.layouts[layout]
    let many = try levels("many.wav", layout.levels)
    for channels in [2, 1] {
      var job = FileProcessing()
      job.input = .path(kind == "input" ? many : try levels("voice.wav", [Float](repeating: 0, count: channels)))
      job.output = .path(files.path("out.wav"), container: nil)
      (job.overwrite, job.channelCount) = (true, channels)
      if kind == "music" { job.music = .init(path: many) }
      if kind == "effect" { job.effects = [.init(soundID: 1, sound: SoundEffect(path: many))] }
      _ = try job.prepare().run()
      let output = try files.read(files.path("out.wav"))
      let expected = channels == 2 ? [layout.left, layout.right] : [(layout.left + layout.right) / 2]
      #expect(output.count == channels)
      for (plane, level) in zip(output, expected) {
        #expect(abs(Double(plane[4_800]) - level) < 1e-5, "\(plane[4_800]), not \(level)")
      }
    }
  }

  @Test(
    "music or an effect of six channels makes the output stereo",
    .shows("process: many channels"), arguments: [1, 2])
  func outputChannels(channels: Int) throws {
    let many = try levels("many.wav", [0.1, 0.2, 0.3, 0.9, 0.4, 0.5])
    for isMusic in [true, false] {
      var job = FileProcessing()
      job.input = .path(try levels("voice.wav", [Float](repeating: 0, count: channels)))
      if isMusic { job.music = .init(path: many) }
      if !isMusic { job.effects = [.init(soundID: 1, sound: SoundEffect(path: many))] }
      let prepared = try job.prepare()
      defer { prepared.cancel() }
      #expect(prepared.outputFormat.channelCount == 2)
    }
  }

  @Test("a refusal of more than two channels names the file and the remedy", .shows("process: many channels"))
  func refusals() throws {
    let (six, one) = (try levels("six.wav", [0, 0, 0, 0, 0, 0]), try levels("one.wav", [0]))
    let shift = VoicePitch(try PitchRatio(1.2))
    func message(_ change: (inout FileProcessing) throws -> Void) throws -> String {
      var job = FileProcessing()
      job.input = .path(one)
      try change(&job)
      do {
        try job.prepare().cancel()
        return "nothing"
      } catch let error as EngineError {
        #expect(error.code == .invalidArgument)
        return error.message
      }
    }
    let pitched = try message { ($0.input, $0.voicePitch) = (.path(six), shift) }
    #expect(
      pitched
        == "\(six) has 6 channels, and only of one or two can the pitch be changed; make a mono or stereo file of it first"
    )
    let effect = try message {
      $0.effects = [.init(soundID: 7, sound: SoundEffect(path: six, pitch: try PitchRatio(1.2)))]
    }
    #expect(effect == "effect 7: " + pitched)
    let panned = try message {
      $0.effects = [.init(soundID: 7, sound: SoundEffect(path: six, panning: try Panning(0.5)))]
    }
    #expect(
      panned
        == "effect 7: \(six) has 6 channels, and only one or two can be panned; make a mono or stereo file of it first")
    let beside = try message {
      $0.input = .path(six)
      $0.effects = [.init(soundID: 7, sound: SoundEffect(path: one, panning: try Panning(0.5)))]
    }
    #expect(
      beside
        == "effect 7 cannot be panned: \(six), with which it is sent, has 6 channels; make a mono or stereo file of that"
    )
  }

  @Test("the expected length counts finite repetitions of music and effects", .shows("process: length"))
  func expectedLength() throws {
    let voice = try levels("voice.wav", [0], seconds: 1)
    let sound = try levels("sound.wav", [0.1], seconds: 0.75)
    var job = FileProcessing()
    job.input = .path(voice)
    func check(_ seconds: Double) throws {
      let prepared = try job.prepare()
      let known = prepared.expectedSeconds
      #expect(known == seconds && job.expectedSeconds() == seconds)
      let count = try prepared.run().positions.first { $0.source.position == .mixed }?.samplesPerChannel
      #expect(count == Int(48_000 * seconds))
    }
    try check(1)
    job.music = .init(path: sound, repetition: .times(3))
    try check(2.25)
    job.effects = [
      .init(soundID: 1, sound: SoundEffect(path: sound, loopCount: 1, startMilliseconds: 250), startSeconds: 2)
    ]
    try check(3.25)
    job.effects = [.init(soundID: 1, sound: SoundEffect(path: sound, loopCount: -1))]
    job.music = .init(path: sound, repetition: .forever)
    try check(1)
    job.input = .path(files.path("none.wav"))
    #expect(job.expectedSeconds() == nil)
  }
}
