import AudioGraph
import Engine
import FileTestSupport
import FrameObservers
import Glibc
import Playback
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct MusicMixingTests {
  private let files = TestFiles()

  private func music(_ count: Int, seed: UInt64 = 1) throws -> String {
    try files.write("music \(seed).wav", [seededNoise(count: count, seed: seed, amplitude: 0.3)])
  }

  /// What a script must tell: name, actions by tick, events.
  private struct Row: Sendable {
    let name: String
    let actions: [(Int, @Sendable (AudioPipeline, String) throws -> Void)]
    let history: [String]
  }

  private static let rows: [Row] = [
    Row(
      name: "played once",
      actions: [(2, { try $0.startAudioMixing($1) })],
      history: ["710/720 at 1440", "713/723 at 15840", "finished at 15840"]),
    Row(
      name: "three cycles",
      actions: [(0, { try $0.startAudioMixing($1, cycle: 3) })],
      history: [
        "710/720 at 0", "710/721 at 14400", "710/722 at 14400", "710/721 at 28800", "710/722 at 28800",
        "713/723 at 43200", "finished at 43200",
      ]),
    Row(
      name: "paused and resumed",
      actions: [
        (0, { try $0.startAudioMixing($1) }), (5, { pipeline, _ in try pipeline.pauseAudioMixing() }),
        (9, { pipeline, _ in try pipeline.resumeAudioMixing() }),
      ],
      // The fade of 240 samples is played, so 4320 - 2640 samples of pause are added.
      history: ["710/720 at 0", "711/725 at 2640", "710/726 at 4320", "713/723 at 16080", "finished at 16080"]),
    Row(
      name: "stopped by the user",
      actions: [
        (0, { try $0.startAudioMixing($1, cycle: -1) }), (4, { pipeline, _ in try pipeline.stopAudioMixing() }),
      ],
      history: ["710/720 at 0", "713/724 at 2160"]),
    Row(
      name: "paused and stopped at once: both are told",
      actions: [
        (0, { try $0.startAudioMixing($1, cycle: -1) }),
        (
          4,
          { pipeline, _ in
            try pipeline.pauseAudioMixing()
            try pipeline.stopAudioMixing()
          }
        ),
      ],
      history: ["710/720 at 0", "711/725 at 1920", "713/724 at 2160"]),
    Row(
      name: "sought when it has been told to stop: it stops",
      actions: [
        (0, { try $0.startAudioMixing($1, cycle: -1) }),
        (
          4,
          { pipeline, _ in
            try pipeline.stopAudioMixing()
            try pipeline.setAudioMixingPosition(100)
          }
        ),
      ],
      history: ["710/720 at 0", "713/724 at 2160"]),
    Row(
      name: "stopped before it is heard: its start is told all the same, and before its end",
      actions: [
        (
          4,
          { pipeline, path in
            try pipeline.startAudioMixing(path)
            try pipeline.stopAudioMixing()
          }
        )
      ],
      history: ["710/720 at 1920", "713/724 at 1920"]),
    Row(
      name: "started again too soon: what plays goes on",
      actions: [(0, { try $0.startAudioMixing($1) }), (20, { try $0.startAudioMixing($1) })],
      history: ["710/720 at 0", "714/702 in tick 20", "713/723 at 14400", "finished at 14400"]),
    Row(
      name: "started again after 500 ms: what plays is stopped",
      actions: [(0, { try $0.startAudioMixing($1, cycle: -1) }), (50, { try $0.startAudioMixing($1) })],
      history: [
        "710/720 at 0", "710/721 at 14400", "710/722 at 14400", "713/724 in tick 50", "710/720 at 24480",
        "713/723 at 38880", "finished at 38880",
      ]),
    Row(
      name: "started, stopped and started within 500 ms: the last start is refused",
      actions: [
        (0, { try $0.startAudioMixing($1) }), (5, { pipeline, _ in try pipeline.stopAudioMixing() }),
        (20, { try $0.startAudioMixing($1) }),
      ],
      history: ["710/720 at 0", "713/724 at 2640", "714/702 in tick 20"]),
    Row(
      name: "what could not be opened keeps nothing from being played",
      actions: [
        (3, { pipeline, _ in try pipeline.startAudioMixing("/nowhere/music.wav") }),
        (4, { try? $0.startAudioMixing($1, startMilliseconds: 99_999) }), (5, { try $0.startAudioMixing($1) }),
      ],
      history: [
        "warning 701 in tick 3", "714/701 in tick 3", "710/720 at 2880", "713/723 at 17280", "finished at 17280",
      ]),
    Row(
      name: "a file that is not there: the call goes on",
      actions: [(3, { pipeline, _ in try pipeline.startAudioMixing("/nowhere/music.wav") })],
      history: ["warning 701 in tick 3", "714/701 in tick 3"]),
  ]

  @Test(
    "each state and its reason is reported once, in order, at its sample", .shows("M3", "M4"),
    arguments: rows.map(\.name))
  func states(name: String) throws {
    let row = Self.rows.first { $0.name == name }!
    let script = try SoundScript()
    let path = try music(14_400)
    for (tick, action) in row.actions { script.at(tick) { try action(script.pipeline, path) } }
    try script.run()
    #expect(script.history == row.history)
  }

  @Test("the start of music is reported at its first audible sample", .shows("M3"))
  func start() throws {
    let script = try SoundScript()
    let path = try music(4_800)
    script.at(7) { try script.pipeline.startAudioMixing(path) }
    try script.run()
    let mixed = script.seen.stream(FrameOrigin(position: .mixed))
    let first = try #require(mixed.firstIndex { $0 != 0 })
    let event = try #require(script.events.first)
    #expect(event.samplePosition == first && event.kind == .music(.playing, .startedByUser))
    #expect(script.history.first == "710/720 at \(first)")
  }

  @Test("each tick reports at most one loop of a very short sound", .shows("M3"))
  func shortLoop() throws {
    let script = try SoundScript(ticks: 60)
    let path = try music(7)
    try script.pipeline.startAudioMixing(path, cycle: 2_000)
    try script.run()
    let loops = script.events.filter { $0.kind == .music(.playing, .loopCompleted) }
    let positions = loops.compactMap(\.samplePosition)
    // 14 000 samples are 29 frames and a part of one.
    #expect(positions.map { $0 / 480 } == Array(0...29))
    #expect(positions.allSatisfy { $0 % 7 == 0 && $0 % 480 < 14 }, "the first of each tick: \(positions)")
    #expect(script.history.suffix(2) == ["713/723 at 14000", "finished at 14000"])
  }

  @Test("music that shrinks during playback fails once, and other music starts")
  func shrinks() throws {
    let script = try SoundScript(ticks: 600)
    let path = try music(480_000)
    let headerBytes = files.bytes(path).count - 960_000
    script.at(0) { try script.pipeline.startAudioMixing(path) }
    script.at(2) { truncate(path, headerBytes + 400_000) }
    let other = try music(4_800, seed: 2)
    script.at(500) { try script.pipeline.startAudioMixing(other) }
    try script.run()
    #expect(
      script.history == [
        "710/720 at 0", "warning 703 at 200000", "714/703 at 200000", "710/720 at 240480", "713/723 at 245280",
        "finished at 245280",
      ])
  }

  @Test("music that begins during a run is heard from its first sample", .shows("M1"))
  func beginning() throws {
    let script = try SoundScript()
    let path = try music(4_800)
    script.at(7) { try script.pipeline.startAudioMixing(path) }
    try script.run()
    let mixed = script.seen.stream(FrameOrigin(position: .mixed))
    #expect(mixed[..<3_840].allSatisfy { $0 == 0 })
    #expect(Array(mixed[3_840..<8_640]) == (try files.read(path)[0]))
  }

  @Test(
    "sent music is in RECORD and MIXED, loopback music in MIXED alone", .shows("M1"),
    arguments: [false, true])
  func targets(loopback: Bool) throws {
    let script = try SoundScript()
    let path = try music(4_800)
    try script.pipeline.startAudioMixing(path, loopback: loopback)
    try script.run()
    let plane = try files.read(path)[0]
    #expect(Array(script.seen.stream(FrameOrigin(position: .mixed))[..<4_800]) == plane)
    let record = script.seen.stream(FrameOrigin(position: .record))
    #expect(loopback ? record.allSatisfy { $0 == 0 } : Array(record[..<4_800]) == plane)
    #expect(script.seen.stream(FrameOrigin(position: .playback)).allSatisfy { $0 == 0 })
  }

  @Test("music that replaces the voice is alone in RECORD until it ends", .shows("M1"))
  func replace() throws {
    let voice = seededNoise(count: 48_000, seed: 9, amplitude: 0.2)
    let script = try SoundScript(voice: [voice])
    let path = try music(9_600)
    try script.pipeline.startAudioMixing(path, replace: true)
    script.at(5) { try script.pipeline.adjustRecordingSignalVolume(50) }
    try script.run()
    let record = script.seen.stream(FrameOrigin(position: .record))
    #expect(Array(record[..<9_600]) == (try files.read(path)[0]))
    // Ramped up again within the frame after the end.
    #expect(record[10_080..<47_000].enumerated().allSatisfy { $1 == voice[10_080 + $0] * 0.5 })
  }

  @Test("music reports its duration and position, and a seek moves it", .shows("M2"))
  func figures() throws {
    let script = try SoundScript()
    let path = try files.write("long.wav", [seededNoise(count: 44_100, seed: 3, amplitude: 0.3)], sampleRate: 44_100)
    #expect(throws: EngineError.self) { _ = try script.pipeline.audioMixingDuration() }
    try script.pipeline.startAudioMixing(path, startMilliseconds: 200)
    script.at(10) {
      #expect(try script.pipeline.audioMixingDuration() == 1_000)
      // To a frame: position counts what has been rendered.
      let position = try script.pipeline.audioMixingCurrentPosition()
      #expect(abs(position - 300) <= 1)
      try script.pipeline.setAudioMixingPosition(900)
    }
    script.at(11) {
      let position = try script.pipeline.audioMixingCurrentPosition()
      #expect(abs(position - 905) <= 1)
    }
    try script.run()
    #expect(script.history == ["710/720 at 0", "713/723 at 9840", "finished at 9840"])
    #expect(throws: EngineError.self) { try script.pipeline.adjustAudioMixingVolume(101) }
  }

  @Test(
    "a seek keeps the number of loops", .shows("M2"),
    arguments: [(1, 90, 300, 76_800), (2, 90, 300, 124_800), (2, 30, 900, 67_200)])
  func seekPasses(cycle: Int, tick: Int, milliseconds: Int, end: Int) throws {
    let script = try SoundScript(ticks: 400)
    let path = try music(48_000)
    try script.pipeline.startAudioMixing(path, cycle: cycle)
    script.at(tick) { try script.pipeline.setAudioMixingPosition(milliseconds) }
    try script.run()
    // The rest of this pass is played from the new place, behind a fade of 5 ms.
    #expect(script.history.filter { $0.hasPrefix("710/721") }.count == cycle - 1)
    let last = try #require(script.events.last { event in if case .musicFinished = event.kind { true } else { false } })
    let position = try #require(last.samplePosition)
    #expect(abs(position - end) <= 240)
  }

  @Test("a seek sets the position at once, also while paused", .shows("M2"))
  func seekPosition() throws {
    let script = try SoundScript(ticks: 200)
    try script.pipeline.startAudioMixing(try music(48_000))
    func position() throws -> Int { try script.pipeline.audioMixingCurrentPosition() }
    script.at(5) {
      try script.pipeline.setAudioMixingPosition(500)
      #expect(try position() == 500)
    }
    script.at(10) { try script.pipeline.pauseAudioMixing() }
    script.at(20) {
      try script.pipeline.setAudioMixingPosition(700)
      #expect(try position() == 700)
    }
    script.at(21) {
      let still = try position()
      #expect(still == 700)
    }
    script.at(22) {
      try script.pipeline.resumeAudioMixing()
      for step in 0...100 { try script.pipeline.setAudioMixingPosition(step * 6) }
    }
    script.at(32) {
      let reached = try position()
      #expect(abs(reached - 700) <= 20)
    }
    try script.run()
    #expect(script.history.last?.hasPrefix("finished") == true)
  }

  @Test("its level changes with a ramp over a frame", .shows("M2"))
  func level() throws {
    let script = try SoundScript()
    let path = try music(14_400)
    try script.pipeline.adjustAudioMixingPublishVolume(50)
    try script.pipeline.startAudioMixing(path)
    script.at(4) { try script.pipeline.adjustAudioMixingVolume(100) }
    try script.run()
    let plane = try files.read(path)[0]
    let mixed = script.seen.stream(FrameOrigin(position: .mixed))
    #expect((0..<1_920).allSatisfy { mixed[$0] == plane[$0] * 0.5 })
    for index in 0..<480 {
      let gain = 0.5 + 0.5 * Float(index + 1) / 480
      #expect(abs(mixed[1_920 + index] - plane[1_920 + index] * gain) < 1e-6)
    }
    #expect((2_400..<14_400).allSatisfy { mixed[$0] == plane[$0] })
  }

  @Test("playout volume applies to loopback music, publish volume to sent music", .shows("M2"))
  func halves() throws {
    for (loopback, audible) in [(true, 0.25), (false, 0.5)] as [(Bool, Float)] {
      let script = try SoundScript()
      let path = try music(4_800)
      try script.pipeline.adjustAudioMixingPlayoutVolume(25)
      try script.pipeline.adjustAudioMixingPublishVolume(50)
      try script.pipeline.startAudioMixing(path, loopback: loopback)
      try script.run()
      let plane = try files.read(path)[0]
      let mixed = script.seen.stream(FrameOrigin(position: .mixed))
      let sent = script.seen.stream(FrameOrigin(position: .record))
      #expect((0..<4_800).allSatisfy { mixed[$0] == plane[$0] * audible }, "\(loopback)")
      #expect((0..<4_800).allSatisfy { sent[$0] == (loopback ? 0 : plane[$0] * 0.5) }, "\(loopback)")
    }
  }

  @Test("values out of range are refused, and nothing is reported")
  func refused() throws {
    let script = try SoundScript(ticks: 3)
    let path = try music(480)
    #expect(throws: EngineError.self) { try script.pipeline.startAudioMixing(path, cycle: 0) }
    #expect(throws: EngineError.self) { try script.pipeline.startAudioMixing(path, startMilliseconds: -1) }
    #expect(throws: EngineError.self) { try script.pipeline.stopAudioMixing() }
    try script.run()
    #expect(script.history.isEmpty)
  }
}
