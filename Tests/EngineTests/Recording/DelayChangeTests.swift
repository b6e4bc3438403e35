import AudioFiles
import AudioGraph
import Effects
import Engine
import FileTestSupport
import FrameObservers
import GraphTestSupport
import TestSupport
import Testing

/// Recorded files of a path that becomes longer, or ends, while it is heard.
@Suite(.timeLimit(.minutes(10))) struct DelayChangeTests {
  private static let exact = RecordingOptions(sampleFormat: .float32)
  private static let amplitude: Float = 0.5
  private let files = TestFiles()
  private let length = 96_000

  private func tone(_ hertz: Double) -> [Float] {
    (0..<length).map { Self.amplitude * sine(hertz * Double($0) / 48_000) }
  }

  /// Runs `voice` as the local one, recorded at MIXED and RECORD and written by a sink, and changes something at ticks.
  private func run(_ voice: [Float], _ changes: [Int: (AudioPipeline) throws -> Void]) throws -> [String: [Float]] {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.setLocalSource(try PlaneSource([voice], uid: 0))
    let paths = ["sink", "mixed", "record"].map { ($0, files.path("\($0).wav")) }
    let writer = try AudioFileOutput.create(
      path: paths[0].1, format: try AudioFormat(sampleRate: 48_000, channelCount: 1),
      options: OutputOptions(sampleFormat: .float32))
    let sink = try FileSink(writer, sampleRate: 48_000, onRelease: pipeline.bell) { [weak pipeline] in
      pipeline?.endPosition
    }
    try pipeline.addSink(sink)
    try pipeline.startAudioRecording(paths[1].1, position: .mixed, options: Self.exact)
    try pipeline.startAudioRecording(paths[2].1, position: .record, options: Self.exact)
    var thrown: (any Error)?
    try pipeline.runToEnd {
      do { try changes[pipeline.tickCount]?(pipeline) } catch { thrown = error }
      return false
    }
    try sink.finish()
    if let thrown { throw thrown }
    return Dictionary(uniqueKeysWithValues: try paths.map { ($0.0, try files.read($0.1)[0]) })
  }

  /// G3: a signal's own step, and what two fades of a frame add to it.
  private func bound(_ hertz: Float) -> Float { 2 * .pi * hertz / 48_000 * Self.amplitude + 2 * Self.amplitude / 480 }

  @Test("a first pitch and a change of its mode make no click in any file", .shows("R1"))
  func pitch() throws {
    let recorded = try run(
      tone(300),
      [60: { try $0.setLocalVoicePitch(1.3) }, 120: { try $0.setLocalVoicePitch(1.3, mode: .quality) }])
    for (name, samples) in recorded {
      #expect(samples.count == length, "\(name)")
      #expect(Signals.largestStep(samples) < bound(390), "\(name)")
      #expect(abs(samples[(length - 480)...].map(abs).max()! - Self.amplitude) < 0.01, "\(name)")
    }
  }

  @Test("the first use of the voice-only mode makes no click in any file", .shows("R1"))
  func voiceOnly() throws {
    let recorded = try run(
      tone(300), [60: { try $0.setVoiceOnlyMode(true) }, 61: { try $0.setVoiceOnlyMode(false) }])
    for (name, samples) in recorded {
      #expect(samples.count == length, "\(name)")
      #expect(Signals.largestStep(samples) < bound(300), "\(name)")
      #expect(abs(samples[(length - 480)...].map(abs).max()! - Self.amplitude) < 0.01, "\(name)")
    }
  }

  @Test("a muted voice fades out and in within a frame in every file", .shows("G5"))
  func mute() throws {
    let voice = tone(300)
    let recorded = try run(
      voice, [60: { try $0.muteLocalAudioStream(true) }, 120: { try $0.muteLocalAudioStream(false) }])
    for (name, samples) in recorded {
      #expect(samples.count == length, "\(name)")
      #expect(Signals.largestStep(samples) < bound(300), "\(name)")
      #expect(samples[30_000..<57_000].allSatisfy { $0 == 0 }, "\(name)")
      #expect(samples[..<28_000] == voice[..<28_000] && samples[60_000...] == voice[60_000...], "\(name)")
    }
  }
}
