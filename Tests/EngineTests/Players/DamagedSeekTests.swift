import Engine
import FileTestSupport
import FrameObservers
import Glibc
import Platform
import Playback
import TestSupport
import Testing

/// Seeks into the missing part of a truncated file: the playing sound continues, and nothing is left behind.
@Suite(.timeLimit(.minutes(10))) struct DamagedSeekTests {
  private let files = TestFiles()

  /// A FLAC file of five seconds whose header promises them, of which one half is there; and what is.
  private func cut() throws -> (path: String, heard: [Float]) {
    let samples = (0..<240_000).map { 0.4 * sine(437 * Double($0) / 48_000) }
    let path = try files.write("cut.flac", [samples])
    truncate(path, files.bytes(path).count / 2)
    return (path, try files.read(path)[0])
  }

  private func mixed(_ script: SoundScript) -> [Float] { script.seen.stream(FrameOrigin(position: .mixed)) }

  @Test("a seek into a missing part is refused, and the music continues", .shows("M2"))
  func seek() throws {
    let (path, heard) = try cut()
    let script = try SoundScript(ticks: 600)
    try script.pipeline.startAudioMixing(path)
    script.at(30) {
      let error = #expect(throws: EngineError.self) { try script.pipeline.setAudioMixingPosition(4_500) }
      #expect(error?.code == .invalidArgument)
    }
    try script.run()
    let output = mixed(script)
    // The last 5 ms fade out, and of the last sample nothing is left.
    let end = try #require(output.lastIndex { $0 != 0 }) + 2
    #expect(end > 30 * 480 + 24_000 && end <= heard.count)
    #expect(output[..<(end - 240)].elementsEqual(heard[..<(end - 240)]))
    #expect(script.history == ["710/720 at 0", "warning 703 at \(end)", "714/703 at \(end)"])
  }

  @Test("music from a missing part fails, and the earlier music continues", .shows("M4"))
  func start() throws {
    let path = try cut().path
    let steady = try files.write("steady.wav", [[Float](repeating: 0.25, count: 96_000)])
    let script = try SoundScript(ticks: 250)
    try script.pipeline.startAudioMixing(steady)
    script.at(60) { try script.pipeline.startAudioMixing(path, startMilliseconds: 4_500) }
    try script.run()
    #expect(mixed(script)[..<96_000].allSatisfy { $0 == 0.25 })
    #expect(
      script.history == [
        "710/720 at 0", "warning 701 in tick 60", "714/701 in tick 60", "713/723 at 96000", "finished at 96000",
      ])
    #expect(throws: EngineError.self) { try script.pipeline.audioMixingCurrentPosition() }
  }

  @Test("an effect from a missing part is refused, and the old one continues")
  func effect() throws {
    let path = try cut().path
    let steady = try files.write("steady.wav", [[Float](repeating: 0.25, count: 48_000)])
    let script = try SoundScript(ticks: 150)
    try script.pipeline.playEffect(3, SoundEffect(path: steady))
    script.at(20) {
      #expect(throws: EngineError.self) {
        try script.pipeline.playEffect(3, SoundEffect(path: path, start: .milliseconds(4_500)))
      }
      #expect(throws: EngineError.self) {
        try script.pipeline.playEffect(4, SoundEffect(path: path, start: .milliseconds(4_500)))
      }
      #expect(throws: EngineError.self) { try script.pipeline.pauseEffect(4) }
    }
    try script.run()
    #expect(mixed(script)[..<48_000].allSatisfy { $0 == 0.25 })
    #expect(script.history == ["effect 3 at 48000"])
  }

  @Test("a finished pipeline refuses music and effects, and keeps none")
  func finished() throws {
    let steady = try files.write("steady.wav", [[Float](repeating: 0.25, count: 480)])
    let script = try SoundScript(ticks: 5)
    try script.run()
    let pipeline = script.pipeline
    let music = #expect(throws: EngineError.self) { try pipeline.startAudioMixing(steady) }
    let effect = #expect(throws: EngineError.self) { try pipeline.playEffect(1, SoundEffect(path: steady)) }
    #expect(music?.code == .wrongState && effect?.code == .wrongState)
    #expect(throws: EngineError.self) { try pipeline.audioMixingCurrentPosition() }
    #expect(throws: EngineError.self) { try pipeline.pauseEffect(1) }
  }
}
