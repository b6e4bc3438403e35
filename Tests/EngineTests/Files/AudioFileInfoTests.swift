import AudioFiles
import AudioGraph
import Engine
import FrameObservers
import Testing

@Suite(.timeLimit(.minutes(10))) struct AudioFileInfoTests {
  @Test("a file's path, format and duration are known before it is played; what cannot be opened is an error")
  func info() throws {
    let files = TestFiles()
    let path = try files.write("a.wav", [seededNoise(count: 22_051, seed: 1)], sampleRate: 44_100)
    let info = try AudioFileInfo(path: path)
    #expect(info.path == path && info.format.sampleRate == 44_100 && info.samplesPerChannel == 22_051)
    #expect(info.durationMilliseconds == 500)
    #expect(throws: AudioFileError(.open(2), path: "/nowhere.wav")) { _ = try AudioFileInfo(path: "/nowhere.wav") }
  }

  @Test(
    "music of another kind, rate and channel count plays at the right speed and level",
    arguments: ["flac", "ogg", "aiff", "caf"])
  func kinds(kind: String) throws {
    let files = TestFiles()
    let tone = (0..<8_000).map { sine(440 * Double($0) / 16_000) * 0.3 }
    let source = try files.write("a.wav", [tone, tone.map { -$0 }], sampleRate: 16_000)
    let target = files.path("a." + kind)
    let writer = try AudioFileOutput.create(
      path: target, format: AudioFileInfo(path: source).format, options: OutputOptions(sampleFormat: .int16))
    try (tone + tone.map { -$0 }).withUnsafeBufferPointer {
      try writer.write($0.baseAddress!, stride: tone.count, count: tone.count)
    }
    try writer.finish()
    let script = try SoundScript(ticks: 80, channelCount: 2)
    try script.pipeline.startAudioMixing(target)
    try script.run()
    let mixed = script.seen.stream(.init(position: .mixed))
    // Against the tone itself at 48 kHz; Vorbis is lossy.
    let worst = (480..<23_500).map { abs(mixed[$0] - sine(440 * Double($0) / 48_000) * 0.3) }.max()!
    #expect(worst < (kind == "ogg" ? 0.03 : 1e-3), "\(kind): \(worst)")
    #expect(script.history.last == "finished at 24000")
  }
}
