import AudioFiles
import Engine
import FileTestSupport
import FrameObservers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct MusicKindsTests {
  @Test(
    "music of each kind of file plays at the right speed and level", .shows("M5"),
    arguments: ["flac", "ogg", "opus", "mp3", "aiff", "caf"])
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
    // Against the tone itself at 48 kHz.
    let worst = (480..<23_500).map { abs(mixed[$0] - sine(440 * Double($0) / 48_000) * 0.3) }.max()!
    #expect(worst < (["ogg", "opus", "mp3"].contains(kind) ? 0.03 : 1e-3), "\(kind): \(worst)")
    #expect(script.history.last == "finished at 24000")
  }
}
