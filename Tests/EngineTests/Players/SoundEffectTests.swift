import AudioFiles
import AudioGraph
import Effects
import Engine
import FileTestSupport
import FrameObservers
import GraphTestSupport
import Playback
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct SoundEffectTests {
  private let files = TestFiles()

  private func sound(_ name: String, _ count: Int, seed: UInt64 = 1, amplitude: Float = 0.3) throws -> String {
    try files.write(name + ".wav", [seededNoise(count: count, seed: seed, amplitude: amplitude)])
  }

  @Test("effects play at once from their samples, and each end is reported once", .shows("E1", "E4"))
  func several() throws {
    let script = try SoundScript()
    let (first, second) = (try sound("a", 4_800, seed: 1), try sound("b", 2_400, seed: 2))
    try script.pipeline.playEffect(1, SoundEffect(path: first, loopCount: 2))
    try script.pipeline.playEffect(2, SoundEffect(path: second, gain: Volume(50), isPublished: false), atPosition: 777)
    try script.run()
    var expected = [Float](repeating: 0, count: 48_000)
    let (one, two) = (try files.read(first)[0], try files.read(second)[0])
    for index in 0..<14_400 { expected[index] += one[index % 4_800] }
    #expect(Array(script.seen.stream(FrameOrigin(position: .record))[..<48_000]) == expected)
    for index in 0..<2_400 { expected[777 + index] += two[index] * 0.5 }
    #expect(Array(script.seen.stream(FrameOrigin(position: .mixed))[..<48_000]) == expected)
    #expect(script.history == ["effect 2 at 3177", "effect 1 at 14400"])
  }

  @Test(
    "an effect begins with the next tick or at its given sample",
    .shows("E1"),
    arguments: [1, 5, 20])
  func places(tick: Int) throws {
    let script = try SoundScript()
    let path = try sound("a", 960, amplitude: 0.1)
    let place = (tick + 3) * 480 + 123
    script.at(tick) { try script.pipeline.playEffect(1, SoundEffect(path: path)) }
    // While the first one leaves and others come.
    script.at(tick + 3) {
      try script.pipeline.playEffect(2, SoundEffect(path: path), atPosition: place + 3 * 480)
      try script.pipeline.playEffect(3, SoundEffect(path: path), atPosition: place + 4 * 480)
    }
    try script.run()
    let effect = try files.read(path)[0]
    var expected = [Float](repeating: 0, count: 48_000)
    for start in [(tick + 1) * 480, place + 3 * 480, place + 4 * 480] {
      for (index, sample) in effect.enumerated() { expected[start + index] += sample }
    }
    let mixed = script.seen.stream(FrameOrigin(position: .mixed)).prefix(48_000)
    #expect(zip(mixed, expected).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test("an effect begins at its very sample wherever another sound ends", .shows("E1"), arguments: [0, 1, 123, 479])
  func placesBesideEnds(offset: Int) throws {
    let script = try SoundScript()
    // They overlap, 50 at a time, and from the fiftieth on one ends in every frame in which another begins or is to
    // begin.
    let path = try sound("a", 50 * 480 - 37, amplitude: 0.01)
    let starts = (0..<120).map { (5 + $0) * 480 + offset }
    for (index, start) in starts.enumerated() {
      try script.pipeline.playEffect(index, SoundEffect(path: path), atPosition: start)
    }
    try script.run()
    let effect = try files.read(path)[0]
    var expected = [Float](repeating: 0, count: 200 * 480)
    for start in starts {
      for (index, sample) in effect.enumerated() { expected[start + index] += sample }
    }
    let mixed = script.seen.stream(FrameOrigin(position: .mixed)).prefix(expected.count)
    #expect(zip(mixed, expected).allSatisfy { abs($0 - $1) < 1e-5 })
    let ends = starts.enumerated().map { "effect \($0) at \($1 + effect.count)" }
    #expect(script.history == ends)
  }

  @Test("a stopped or replaced effect does not report an end", .shows("E3"))
  func stopped() throws {
    let script = try SoundScript()
    let (first, second) = (try sound("a", 48_000, seed: 1, amplitude: 0.1), try sound("b", 2_400, seed: 2))
    try script.pipeline.playEffect(1, SoundEffect(path: first))
    try script.pipeline.playEffect(2, SoundEffect(path: first))
    script.at(3) { try script.pipeline.stopEffect(1) }
    script.at(6) { try script.pipeline.playEffect(2, SoundEffect(path: second)) }
    try script.run()
    // In tick 6 the new one's way is faded in: it begins with tick 7, in which the old one's leaves.
    #expect(script.history == ["effect 2 at 5760"])
    let mixed = script.seen.stream(FrameOrigin(position: .mixed))
    #expect(Array(mixed[3_360..<5_760]) == (try files.read(second)[0]))
    #expect(mixed[5_760...].allSatisfy { $0 == 0 })
  }

  @Test("pause and resume hold and continue effects, and levels multiply", .shows("E3"))
  func paused() throws {
    let script = try SoundScript()
    let path = try sound("a", 9_600)
    try script.pipeline.playEffect(1, SoundEffect(path: path, gain: Volume(50)))
    try script.pipeline.playEffect(2, SoundEffect(path: path))
    #expect(try script.pipeline.volumeOfEffect(1) == 50)
    #expect(script.pipeline.effectsVolume == 100)
    script.at(2) { script.pipeline.pauseAllEffects() }
    script.at(8) { try script.pipeline.resumeEffect(1) }
    script.at(12) {
      script.pipeline.resumeAllEffects()
      try script.pipeline.setEffectsVolume(40)
      try script.pipeline.setVolumeOfEffect(1, 25)
    }
    try script.run()
    #expect(script.history == ["effect 1 at 12240", "effect 2 at 14160"])
    let plane = try files.read(path)[0]
    let mixed = script.seen.stream(FrameOrigin(position: .mixed))
    // Only effect 2 is left, its level 40.
    #expect((12_240..<14_160).allSatisfy { abs(mixed[$0] - plane[$0 - 4_560] * 0.4) < 1e-6 })
    #expect(throws: EngineError.self) { try script.pipeline.setEffectsVolume(101) }
  }

  @Test("a preloaded effect plays the same from memory", .shows("E2"))
  func preloaded() throws {
    let path = try sound("a", 5_000)
    var outputs: [[Float]] = []
    for isPreloaded in [false, true] {
      let script = try SoundScript()
      if isPreloaded { try script.pipeline.preloadEffect(7, path: path) }
      let other = try sound("b", 100)
      if isPreloaded {
        #expect(throws: EngineError.self) { try script.pipeline.playEffect(7, SoundEffect(path: other)) }
      }
      // The same file by another name is the same file.
      let name = isPreloaded ? path.replacing("/a.wav", with: "/./a.wav") : path
      #expect(isPreloaded == (name != path))
      try script.pipeline.playEffect(7, SoundEffect(path: name, loopCount: 1, startMilliseconds: 20))
      try script.run()
      outputs.append(script.seen.stream(FrameOrigin(position: .mixed)))
      #expect(script.history == ["effect 7 at 9040"])
    }
    #expect(outputs[0] == outputs[1] && outputs[0].contains { $0 != 0 })
    let script = try SoundScript()
    try script.pipeline.preloadEffect(7, path: path)
    try script.pipeline.unloadEffect(7)
    #expect(throws: EngineError.self) { try script.pipeline.unloadEffect(7) }
  }

  @Test("an effect is panned beside a mono voice that is sent as stereo", .shows("E1"))
  func placed() throws {
    let path = try files.write("tone.wav", [(0..<9_600).map { 0.3 * sine(440 * Double($0) / 48_000) }])
    let right = SoundEffect(path: path, panning: try Panning(1))
    let voice = seededNoise(count: 24_000, seed: 4, amplitude: 0.2)
    func sides(sentChannelCount: Int?) throws -> [[Float]] {
      let pipeline = try AudioPipeline(mode: .offline, channelCount: 2)
      try pipeline.setLocalSource(try PlaneSource([voice], uid: 0), sentChannelCount: sentChannelCount)
      let both = files.path("sides.wav")
      try pipeline.startAudioRecording(both, options: RecordingOptions(sampleFormat: .float32))
      try pipeline.playEffect(1, right, atPosition: 4_800)
      try pipeline.runToEnd()
      return try files.read(both)
    }
    let heard = try sides(sentChannelCount: 2)
    #expect(heard[0] == voice)
    #expect(zip(heard[1], voice).contains { abs($0 - $1) > 0.25 })
    #expect(throws: EngineError.self) { try sides(sentChannelCount: nil) }
    #expect(throws: EngineError.self) { try sides(sentChannelCount: 3) }
    let script = try SoundScript(voice: [voice])
    for position in [Int.min, -1, .max, 1 << 60] {
      #expect(throws: EngineError.self) {
        try script.pipeline.playEffect(1, SoundEffect(path: path), atPosition: position)
      }
    }
    try script.run()
  }

  @Test("a pitched effect keeps its first sample, its length and the voice", .shows("E1"))
  func pitched() throws {
    let voice = seededNoise(count: 48_000, seed: 4, amplitude: 0.2)
    let path = try files.write("tone.wav", [(0..<9_600).map { 0.3 * sine(440 * Double($0) / 48_000) }])
    let place = 9_600
    func record(_ effects: [(gain: Double, position: Int?)]) throws -> [Float] {
      let script = try SoundScript(voice: [voice])
      for (index, effect) in effects.enumerated() {
        try script.pipeline.playEffect(
          index, SoundEffect(path: path, pitch: PitchRatio(1.5), gain: Volume(effect.gain)), atPosition: effect.position
        )
      }
      try script.run()
      return Array(script.seen.stream(FrameOrigin(position: .record))[..<48_000])
    }
    let unheard = try record([(0, place)])
    #expect(unheard == voice)
    let heard = zip(try record([(100, place)]), voice).map { Double($0 - $1) }
    let loud = heard.indices.filter { abs(heard[$0]) > 0.02 }
    let (begin, end) = (try #require(loud.first), try #require(loud.last))
    #expect(abs(begin - place) <= 5 && abs(end - place - 9_600) < 240)
    // Half as high again, by counting.
    let middle = heard[(place + 2_400)..<(place + 7_200)]
    let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(crossings - 66) <= 1)
    let atOnce = zip(try record([(100, nil)]), voice).map { Double($0 - $1) }
    let first = try #require(atOnce.indices.first { abs(atOnce[$0]) > 0.02 })
    #expect(first <= 5)
  }

  @Test(
    "a pitched effect begins with its first sample at any position",
    .shows("E1"),
    arguments: [0, 960, 3_216, 10_000], [0.7, 1.5])
  func pitchedPlaces(place: Int, ratio: Double) throws {
    var impulse = [Float](repeating: 0, count: 4_800)
    impulse[0] = 0.5
    let tone = (0..<9_600).map { 0.4 * sine(0.25 + 440 * Double($0) / 48_000) }
    for (name, samples) in [("impulse", impulse), ("tone", tone)] {
      let path = try files.write("\(name).wav", [samples])
      let script = try SoundScript()
      try script.pipeline.playEffect(1, SoundEffect(path: path, pitch: PitchRatio(ratio)), atPosition: place)
      try script.run()
      let mixed = script.seen.stream(FrameOrigin(position: .mixed))
      #expect(mixed[..<place].allSatisfy { $0 == 0 }, "\(name)")
      // Above a ratio of 1 the interpolation takes off what would lie above half the rate.
      #expect(mixed[place] > samples[0] * 0.6 && mixed[place] <= samples[0] * 1.01, "\(name): \(mixed[place])")
      #expect(mixed[(place + samples.count)...].allSatisfy { $0 == 0 }, "\(name)")
      #expect(script.history == ["effect 1 at \(place + samples.count)"], "\(name)")
    }
  }

  @Test(
    "a pitched effect keeps its pitch through pause and repetition", .shows("E1"), arguments: [1, 2])
  func pitchedLoop(channels: Int) throws {
    let plane = (0..<9_600).map { 0.4 * sine(300 * Double($0) / 48_000) }
    let path = try files.write("tone.wav", [[Float]](repeating: plane, count: channels))
    let script = try SoundScript(channelCount: channels)
    try script.pipeline.playEffect(1, SoundEffect(path: path, loopCount: 1, pitch: PitchRatio(1.5)))
    script.at(20) { try script.pipeline.pauseEffect(1) }
    script.at(24) { try script.pipeline.resumeEffect(1) }
    try script.run()
    let mixed = script.seen.stream(FrameOrigin(position: .mixed))
    // Twice as long as the file, and four frames of pause less what the fade out took.
    #expect(script.history == ["effect 1 at \(19_200 + 1_920 - 240)"])
    for range in [2_000..<8_000, 13_000..<19_000] {
      let crossings = zip(mixed[range], mixed[range].dropFirst()).count { $0 < 0 && $1 >= 0 }
      #expect(abs(crossings - range.count * 450 / 48_000) <= 1)
    }
  }

  @Test(
    "a sound of few samples is repeated without a gap", .shows("E1"),
    arguments: [1, 10, 29])
  func short(count: Int) throws {
    let script = try SoundScript()
    let path = try sound("short", count, seed: 3)
    try script.pipeline.playEffect(1, SoundEffect(path: path, loopCount: 24_000 / count - 1))
    try script.run()
    let plane = try files.read(path)[0]
    let played = 24_000 / count * count
    let mixed = script.seen.stream(FrameOrigin(position: .mixed))
    #expect((0..<played).allSatisfy { mixed[$0] == plane[$0 % count] })
    #expect(mixed[played...].allSatisfy { $0 == 0 })
    #expect(script.history == ["effect 1 at \(played)"])
  }

  @Test("impossible start positions are refused, and huge loop counts accepted", .shows("E1"))
  func impossible() throws {
    let script = try SoundScript(ticks: 3)
    let path = try sound("a", 4_800)
    for start in [101, Int.max, -1] {
      #expect(throws: EngineError.self) {
        try script.pipeline.playEffect(1, SoundEffect(path: path, start: .milliseconds(start)))
      }
    }
    #expect(throws: EngineError.self) { try script.pipeline.startAudioMixing(path, startMilliseconds: .max) }
    try script.pipeline.playEffect(2, SoundEffect(path: path, loopCount: .max))
    script.at(2) { try script.pipeline.stopEffect(2) }
    try script.run()
    #expect(script.history.isEmpty)
  }

  @Test("128 effects play with music and a voice, and each of them ends", .shows("E1"))
  func many() throws {
    let script = try SoundScript(ticks: 60, channelCount: 2)
    for index in 0..<128 {
      let path = try sound("\(index % 4)", 4_800 + 10 * (index % 4), seed: UInt64(index % 4), amplitude: 0.005)
      try script.pipeline.playEffect(index, SoundEffect(path: path, panning: Panning(Double(index) / 64 - 1)))
    }
    try script.pipeline.startAudioMixing(try sound("music", 9_600, seed: 9, amplitude: 0.1))
    try script.run()
    #expect(script.history.filter { $0.hasPrefix("effect") }.count == 128)
    #expect(script.history.contains("finished at 9600"))
    let planes = try (0..<4).map { try files.read(files.path("\($0).wav"))[0] }
    let music = try files.read(files.path("music.wav"))[0]
    var expected = [Double](repeating: 0, count: 9_600)
    for index in 0..<128 {
      // The constant-power law, on the left.
      let gain = 2.0.squareRoot() * cosine(Double(index) / 64 * .pi / 4)
      for (sample, value) in planes[index % 4].enumerated() { expected[sample] += Double(value) * gain }
    }
    for (sample, value) in music.enumerated() { expected[sample] += Double(value) }
    let mixed = script.seen.stream(FrameOrigin(position: .mixed))
    let worst = (0..<9_600).map { abs(Double(mixed[$0]) - expected[$0]) }.max()!
    #expect(worst < 1e-4)
  }

  @Test("values out of range, unknown numbers and missing files are refused")
  func refused() throws {
    let script = try SoundScript(ticks: 3)
    let path = try sound("a", 480)
    let calls: [() throws -> Void] = [
      { try script.pipeline.playEffect(1, SoundEffect(path: path, loopCount: -2)) },
      { try script.pipeline.playEffect(1, SoundEffect(path: path, start: .milliseconds(-1))) },
      { try script.pipeline.playEffect(1, SoundEffect(path: path, gain: Volume(101))) },
      { try script.pipeline.playEffect(1, SoundEffect(path: path, panning: Panning(0.5))) },
      { try script.pipeline.playEffect(1, SoundEffect(path: "/nowhere.wav")) },
      { try script.pipeline.preloadEffect(1, path: "/nowhere.wav") },
      { try script.pipeline.pauseEffect(3) }, { try script.pipeline.stopEffect(3) },
      { _ = try script.pipeline.volumeOfEffect(3) },
    ]
    for (index, call) in calls.enumerated() {
      let error = #expect(throws: EngineError.self, "call \(index)") { try call() }
      #expect(error?.code == .invalidArgument, "call \(index)")
    }
    try script.run()
    #expect(script.history.isEmpty && script.seen.calls(FrameOrigin(position: .mixed)) > 0)
  }
}
