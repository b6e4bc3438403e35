import AudioGraph
import Effects
import Engine
import FileTestSupport
import FrameObservers
import Glibc
import Playback
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct EffectEventsTests {
  private let files = TestFiles()

  /// What a script must tell: name, actions by tick, events. The sound has 14 400 samples, the voice 48 000.
  private struct Row: Sendable {
    let name: String
    let actions: [(Int, @Sendable (AudioPipeline, String) throws -> Void)]
    let history: [String]

    init(
      _ name: String, _ actions: [(Int, @Sendable (AudioPipeline, String) throws -> Void)], tells history: [String]
    ) {
      self.name = name
      self.actions = actions
      self.history = history
    }
  }

  private static let rows: [Row] = [
    Row("played once", [(0, { try $0.playEffect(1, SoundEffect(path: $1)) })], tells: ["effect 1 at 14400"]),
    Row(
      "asked for while the pipeline runs", [(2, { try $0.playEffect(1, SoundEffect(path: $1)) })],
      tells: ["effect 1 at 15840"]),
    Row(
      "two more loops: told behind the last", [(0, { try $0.playEffect(1, SoundEffect(path: $1, loopCount: 2)) })],
      tells: ["effect 1 at 43200"]),
    Row("for ever", [(0, { try $0.playEffect(1, SoundEffect(path: $1, loopCount: -1)) })], tells: []),
    Row(
      "from a third on", [(0, { try $0.playEffect(1, SoundEffect(path: $1, start: .milliseconds(100))) })],
      tells: ["effect 1 at 9600"]),
    Row(
      "from a third on, then all of it",
      [(0, { try $0.playEffect(1, SoundEffect(path: $1, loopCount: 1, startMilliseconds: 100)) })],
      tells: ["effect 1 at 24000"]),
    Row(
      "at a place to come", [(0, { try $0.playEffect(1, SoundEffect(path: $1), atPosition: 10_000) })],
      tells: ["effect 1 at 24400"]),
    Row(
      "heard here alone", [(0, { try $0.playEffect(1, SoundEffect(path: $1, isPublished: false)) })],
      tells: ["effect 1 at 14400"]),
    Row(
      "silent", [(0, { try $0.playEffect(1, SoundEffect(path: $1, gain: Volume(0))) })], tells: ["effect 1 at 14400"]),
    Row(
      "paused and resumed: later by the pause, less its fade",
      [
        (0, { try $0.playEffect(1, SoundEffect(path: $1)) }), (5, { pipeline, _ in try pipeline.pauseEffect(1) }),
        (9, { pipeline, _ in try pipeline.resumeEffect(1) }),
      ], tells: ["effect 1 at 16080"]),
    Row(
      "paused for good",
      [(0, { try $0.playEffect(1, SoundEffect(path: $1)) }), (5, { pipeline, _ in pipeline.pauseAllEffects() })],
      tells: []),
    Row(
      "stopped",
      [(0, { try $0.playEffect(1, SoundEffect(path: $1)) }), (5, { pipeline, _ in try pipeline.stopEffect(1) })],
      tells: []),
    Row(
      "stopped with all others",
      [
        (0, { try $0.playEffect(1, SoundEffect(path: $1)) }), (1, { try $0.playEffect(2, SoundEffect(path: $1)) }),
        (5, { pipeline, _ in pipeline.stopAllEffects() }),
      ], tells: []),
    Row(
      "replaced by another of its number: one end, the other's",
      [
        (0, { try $0.playEffect(1, SoundEffect(path: $1)) }), (10, { try $0.playEffect(1, SoundEffect(path: $1)) }),
      ], tells: ["effect 1 at 19680"]),
    Row(
      "refused another of its number: it goes on",
      [
        (0, { try $0.playEffect(1, SoundEffect(path: $1)) }),
        (
          5,
          { pipeline, path in
            let panned = SoundEffect(path: path, panning: try Panning(1))
            #expect(throws: EngineError.self, "one channel has no sides") { try pipeline.playEffect(1, panned) }
          }
        ),
      ], tells: ["effect 1 at 14400"]),
    Row(
      "played again after its end",
      [
        (0, { try $0.playEffect(1, SoundEffect(path: $1)) }), (40, { try $0.playEffect(1, SoundEffect(path: $1)) }),
      ], tells: ["effect 1 at 14400", "effect 1 at 34080"]),
    Row(
      "two that end with one sample: in the order of their numbers",
      [
        (
          0,
          {
            try $0.playEffect(2, SoundEffect(path: $1))
            try $0.playEffect(1, SoundEffect(path: $1))
          }
        )
      ], tells: ["effect 1 at 14400", "effect 2 at 14400"]),
    Row(
      "the voice that it is sent with is muted: it goes on, for who listens here",
      [
        (0, { try $0.playEffect(1, SoundEffect(path: $1)) }),
        (5, { pipeline, _ in try pipeline.muteLocalAudioStream(true) }),
      ], tells: ["effect 1 at 14400"]),
    Row(
      "beyond the end of the voice", [(80, { try $0.playEffect(1, SoundEffect(path: $1)) })],
      tells: ["effect 1 at 53280"]),
    Row(
      "unloaded while it plays",
      [
        (0, { try $0.preloadEffect(1, path: $1) }), (1, { try $0.playEffect(1, SoundEffect(path: $1)) }),
        (5, { pipeline, _ in try pipeline.unloadEffect(1) }),
      ], tells: []),
  ]

  @Test(
    "an effect's end is reported once, at the sample behind its last", .shows("E4"),
    arguments: rows.map(\.name))
  func ends(name: String) throws {
    let row = Self.rows.first { $0.name == name }!
    let script = try SoundScript()
    let path = try files.write("effect.wav", [seededNoise(count: 14_400, seed: 1, amplitude: 0.1)])
    for (tick, action) in row.actions { script.at(tick) { try action(script.pipeline, path) } }
    try script.run()
    #expect(script.history == row.history)
  }

  /// Live, a program can call between a tick and the events of it; an observer of that tick is such a program.
  @Test("the end of a sound is reported even if the next one has begun", .shows("E4"))
  func endsUntold() throws {
    let script = try SoundScript()
    let path = try files.write("sound.wav", [seededNoise(count: 28_800, seed: 1, amplitude: 0.1)])
    let pipeline = script.pipeline
    // SAFETY: the run calls the observer on this thread.
    nonisolated(unsafe) var failure: (any Error)?
    _ = try pipeline.observe(
      .readOnly(at: .mixed) { _, _ in
        // The tick of their last samples.
        guard pipeline.tickCount == 59 else { return }
        do {
          try pipeline.playEffect(1, SoundEffect(path: path))
          try pipeline.startAudioMixing(path)
        } catch { failure = error }
      })
    script.at(0) {
      try pipeline.playEffect(1, SoundEffect(path: path))
      try pipeline.startAudioMixing(path)
    }
    try script.run()
    #expect(failure == nil)
    #expect(
      script.history == [
        "710/720 at 0", "effect 1 at 28800", "713/723 at 28800", "finished at 28800", "710/720 at 29280",
        "effect 1 at 58080", "713/723 at 58080", "finished at 58080",
      ])
  }

  @Test("an effect that shrinks during playback is interrupted with a warning")
  func shrinks() throws {
    let script = try SoundScript(ticks: 600)
    let path = try files.write("effect.wav", [seededNoise(count: 480_000, seed: 1, amplitude: 0.1)])
    let headerBytes = files.bytes(path).count - 960_000
    script.at(0) { try script.pipeline.playEffect(1, SoundEffect(path: path)) }
    script.at(2) { truncate(path, headerBytes + 400_000) }
    try script.run()
    #expect(script.history == ["warning 703 at 200000", "effect 1 broken at 200000"])
  }
}
