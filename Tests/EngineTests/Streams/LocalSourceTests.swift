import AudioFiles
import AudioGraph
import Effects
import Engine
import FileTestSupport
import FrameObservers
import GraphTestSupport
import MediaStreams
import Playback
import TestSupport
import Testing

/// The local source, removed and replaced while a pipeline runs in virtual time.
@Suite(.timeLimit(.minutes(10))) struct LocalSourceTests {
  private static let amplitude: Float = 0.5
  /// Largest step of a tone of 440 Hz.
  private static let toneStep = amplitude * Float(2 * Double.pi * 440 / 48_000)

  private struct Rig {
    let pipeline: AudioPipeline
    let clock = GatedClock()
    let seen = Collector()
    let events: EventLog

    init(channelCount: Int = 1) throws {
      pipeline = try AudioPipeline(channelCount: channelCount)
      try pipeline.observe(seen.request(at: [.record, .mixed]))
      events = EventLog(pipeline)
      try pipeline.start(clock: clock)
    }

    func run(ticks: Int) {
      clock.open(untilNanoseconds: (ticks - 1) * 10_000_000)
      #expect(eventually { pipeline.tickCount >= ticks })
    }

    func stop() -> (record: [Float], mixed: [Float]) {
      clock.open(untilNanoseconds: .max)
      pipeline.stop()
      return (seen.stream(FrameOrigin(position: .record)), seen.stream(FrameOrigin(position: .mixed)))
    }
  }

  private func tone(_ count: Int, channelCount: Int = 1) -> [Float] {
    (0..<count * channelCount).map { Self.amplitude * sine(440 * Double($0 / channelCount) / 48_000) }
  }

  private func push(_ channelCount: Int = 1) throws -> PushSourceDescription {
    .push(try AudioFormat(sampleRate: 48_000, channelCount: channelCount))
  }

  @Test("a removed local source fades out, and another can be set", .shows("pushed speech"))
  func removed() throws {
    let rig = try Rig()
    let first = try rig.pipeline.setLocalSource(try push())
    #expect(first.push(tone(48_000).span) == 48_000)
    rig.run(ticks: 20)
    try rig.pipeline.local.remove()
    rig.run(ticks: 40)
    let second = try rig.pipeline.setLocalSource(try push())
    #expect(second.push(tone(9_600).span) == 9_600)
    rig.run(ticks: 80)
    let heard = rig.stop()
    let latency = try #require(heard.mixed.firstIndex { $0 != 0 })
    let mixed = heard.mixed[(latency - 1)...]
    #expect(Array(mixed.prefix(20 * 480 - 240)) == Array(tone(20 * 480 - 240)))
    #expect(mixed.dropFirst(22 * 480).prefix(17 * 480).allSatisfy { $0 == 0 })
    // One frame is crossfaded with silence, behind the limiter's delay.
    #expect(Array(heard.mixed[(42 * 480)..<(60 * 480)]) == Array(tone(9_600)[(2 * 480)...]))
    #expect(Signals.largestStep(mixed) <= Self.toneStep + Self.amplitude / 240 + 1e-4)
  }

  @Test("calls to a removed local source are refused")
  func refused() throws {
    let rig = try Rig()
    #expect(throws: EngineError.self) { try rig.pipeline.local.remove() }
    #expect(throws: EngineError.self) { try rig.pipeline.local.replaceSource(with: try push()) }
    try rig.pipeline.setLocalSource(try push())
    try rig.pipeline.local.remove()
    #expect(throws: EngineError.self) { try rig.pipeline.local.setMuted(true) }
    let other = try PushSource(AudioFormat(sampleRate: 16_000, channelCount: 1), sampleRate: 16_000, ready: Doorbell())
    try rig.pipeline.setLocalSource(try push())
    #expect(throws: EngineError.self) { try rig.pipeline.local.replaceSource(with: other) }
    rig.run(ticks: 5)
    _ = rig.stop()
  }

  @Test("a replaced source keeps the settings of the voice", .shows("pushed speech"), arguments: [1, 2])
  func replaced(channelCount: Int) throws {
    let rig = try Rig()
    let first = try rig.pipeline.setLocalSource(try push(), volume: Volume(50))
    #expect(first.push(tone(48_000).span) == 48_000)
    rig.run(ticks: 20)
    let second = try rig.pipeline.local.replaceSource(with: try push(channelCount))
    #expect(second.push(tone(9_600, channelCount: channelCount).span) == 9_600)
    rig.run(ticks: 60)
    let heard = rig.stop()
    let latency = try #require(heard.mixed.firstIndex { $0 != 0 })
    let mixed = heard.mixed[(latency - 1)...].map { 2 * $0 }
    // A mono path is rebuilt for a stereo source: its first frame is crossfaded.
    let expected = tone(9_600)[480..<9_120]
    #expect(zip(mixed[(21 * 480)..<(39 * 480)], expected).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(mixed[(42 * 480)...].allSatisfy { $0 == 0 })
    #expect(Signals.largestStep(mixed) <= Self.toneStep + Self.amplitude / 120)
  }

  @Test("a muted local source is replaced in silence")
  func replacedWhileMuted() throws {
    let rig = try Rig()
    try rig.pipeline.setLocalSource(try push())
    try rig.pipeline.local.setMuted(true)
    rig.run(ticks: 5)
    let second = try rig.pipeline.local.replaceSource(with: try push())
    #expect(second.push(tone(48_000).span) == 48_000)
    rig.run(ticks: 20)
    try rig.pipeline.local.setMuted(false)
    rig.run(ticks: 40)
    let heard = rig.stop()
    let first = try #require(heard.mixed.firstIndex { $0 != 0 })
    #expect((20 * 480...22 * 480).contains(first))
  }

  @Test("sounds of a removed voice end with it and are reported")
  func sounds() throws {
    let files = TestFiles()
    let path = try files.write("music.wav", [tone(96_000)])
    let rig = try Rig()
    try rig.pipeline.setLocalSource(try push())
    try rig.pipeline.music.start(path)
    try rig.pipeline.effects.play(3, SoundEffect(path: path))
    rig.run(ticks: 20)
    try rig.pipeline.local.remove()
    rig.run(ticks: 30)
    try rig.pipeline.effects.play(3, SoundEffect(path: path))
    rig.run(ticks: 40)
    let heard = rig.stop()
    let mixed = heard.mixed
    #expect(mixed[(23 * 480)..<(30 * 480)].allSatisfy { $0 == 0 })
    #expect(mixed[(35 * 480)...].contains { $0 != 0 })
    #expect(rig.events.all.count { if case .effectInterrupted(3) = $0.kind { true } else { false } } == 1)
    #expect(rig.events.all.count { if case .music(.stopped, .interrupted) = $0.kind { true } else { false } } == 1)
  }

  @Test("an offline run ends with the file that replaces the local source")
  func lateFiles() throws {
    let files = TestFiles()
    let path = try files.write("voice.wav", [tone(4_800)])
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    let seen = Collector()
    try pipeline.observe(seen.request(at: [.mixed]))
    try pipeline.setLocalSource(.file(path))
    var replaced = false
    try pipeline.runToEnd {
      if pipeline.tickCount >= 6, !replaced {
        replaced = true
        try! pipeline.local.replaceSource(with: .file(path))
      }
      return false
    }
    #expect(pipeline.endPosition == 6 * 480 + 4_800)
  }
}
