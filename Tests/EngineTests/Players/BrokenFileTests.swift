import AudioGraph
import Effects
import Engine
import FileTestSupport
import FrameObservers
import Glibc
import Playback
import TestSupport
import Testing

/// Sound files that break off in the middle: the sound and the reports are the same for every kind.
@Suite(.timeLimit(.minutes(10))) struct BrokenFileTests {
  private static let kinds = ["wav", "flac", "aiff", "au", "caf", "w64", "ogg", "opus", "mp3"]
  private static let amplitude: Float = 0.4
  private static let fade = 240
  private let files = TestFiles()

  /// Six seconds of a sine, as a file of that kind, and most of its bytes: a page of Ogg has seconds of a plain sound.
  private func tone(_ kind: String, rate: Int = 48_000, isBroken: Bool = true) throws -> String {
    let samples = (0..<6 * rate).map { Self.amplitude * sine(437 * Double($0) / Double(rate)) }
    let path = try files.write("tone.\(kind)", [samples], sampleRate: rate)
    if isBroken { truncate(path, files.bytes(path).count * 4 / 5) }
    return path
  }

  private func mixed(_ script: SoundScript) -> [Float] { script.seen.stream(FrameOrigin(position: .mixed)) }

  /// The largest step between two samples, behind what a lossy codec begins with.
  private func steepest(_ samples: some Collection<Float>) -> Float {
    zip(samples, samples.dropFirst()).dropFirst(2_000).map { abs($1 - $0) }.max() ?? 0
  }

  /// What is played of a file: what can be read of it, the last 5 ms faded out.
  private func faded(_ path: String) throws -> [Float] {
    var samples = try files.read(path)[0]
    try #require(samples.count >= Self.fade)
    for index in 1...Self.fade { samples[samples.count - index] *= Float(index - 1) / Float(Self.fade) }
    return samples
  }

  @Test(
    "truncated music fades out over 5 ms and fails with one warning", .shows("M4"),
    arguments: kinds)
  func music(kind: String) throws {
    let path = try tone(kind)
    let script = try SoundScript(ticks: 700)
    try script.pipeline.startAudioMixing(path, cycle: 3)
    try script.run()
    let expected = try faded(path)
    let output = mixed(script)
    #expect(expected.count > 20_000 && Array(output[..<expected.count]) == expected)
    #expect(output[expected.count...].allSatisfy { $0 == 0 })
    // The sine's own step, what a codec adds to it, and that of the fade.
    #expect(steepest(output) <= 1.1 * Self.amplitude * 2 * Float.pi * 437 / 48_000 + Self.amplitude / 240)
    let end = expected.count
    #expect(script.history == ["710/720 at 0", "warning 703 at \(end)", "714/703 at \(end)"])
  }

  @Test(
    "a truncated effect fades out over 5 ms and is interrupted",
    .shows("M4"),
    arguments: kinds, [false, true])
  func effect(kind: String, isPreloaded: Bool) throws {
    let path = try tone(kind)
    let script = try SoundScript(ticks: 700)
    if isPreloaded { try script.pipeline.preloadEffect(7, path: path) }
    try script.pipeline.playEffect(7, SoundEffect(path: path, loopCount: 2), atPosition: 1_000)
    try script.run()
    let expected = try faded(path)
    let output = mixed(script)
    #expect(Array(output[1_000..<1_000 + expected.count]) == expected)
    #expect(output[(1_000 + expected.count)...].allSatisfy { $0 == 0 })
    let end = 1_000 + expected.count
    #expect(script.history == ["warning 703 at \(end)", "effect 7 broken at \(end)"])
  }

  @Test("a whole file of each kind is played to its end, which is reported", .shows("M4"), arguments: kinds)
  func whole(kind: String) throws {
    let path = try tone(kind, isBroken: false)
    let script = try SoundScript(ticks: 700)
    try script.pipeline.startAudioMixing(path)
    try script.run()
    let expected = try files.read(path)[0]
    #expect(Array(mixed(script)[..<expected.count]) == expected)
    let end = expected.count
    #expect(script.history == ["710/720 at 0", "713/723 at \(end)", "finished at \(end)"])
  }

  @Test(
    "truncated music at another rate fades out without loss", .shows("M4"),
    arguments: ["wav", "flac"])
  func converted(kind: String) throws {
    let path = try tone(kind, rate: 44_100)
    let count = try files.read(path)[0].count
    let script = try SoundScript(ticks: 700)
    try script.pipeline.startAudioMixing(path)
    try script.run()
    let output = mixed(script)
    let end = count * 48_000 / 44_100
    #expect(script.history == ["710/720 at 0", "warning 703 at \(end)", "714/703 at \(end)"])
    #expect(steepest(output) <= Self.amplitude * 2 * Float.pi * 437 / 48_000 + Self.amplitude / 240)
    // Until the fade begins the sine is as loud as ever.
    #expect(output[(end - 480)..<(end - 250)].contains { abs($0) > 0.9 * Self.amplitude })
    #expect(output[end...].allSatisfy { $0 == 0 })
  }

  @Test(
    "a file that shrinks during playback fades out at its new end", .shows("M4"), arguments: [1, -1])
  func shrinks(cycle: Int) throws {
    let samples = (0..<480_000).map { Self.amplitude * sine(437 * Double($0) / 48_000) }
    let path = try files.write("tone.wav", [samples])
    let script = try SoundScript(ticks: 600)
    let headerBytes = files.bytes(path).count - 960_000
    try script.pipeline.startAudioMixing(path, cycle: cycle)
    script.at(2) { truncate(path, headerBytes + 400_000) }
    try script.run()
    let output = mixed(script)
    #expect(steepest(output) <= Self.amplitude * 2 * Float.pi * 437 / 48_000 + Self.amplitude / 240 + 2 / 32_768)
    #expect(output[199_000..<199_700].contains { abs($0) > 0.9 * Self.amplitude })
    #expect(script.history == ["710/720 at 0", "warning 703 at 200000", "714/703 at 200000"])
  }

  @Test("less than 5 ms of a sound fade out from their first sample on", .shows("M4"))
  func short() throws {
    let path = try files.write("short.wav", [[Float](repeating: 0.5, count: 1_000)])
    truncate(path, files.bytes(path).count - 2 * 900)
    let script = try SoundScript(ticks: 10)
    try script.pipeline.startAudioMixing(path)
    try script.run()
    let output = mixed(script)
    #expect((0..<100).allSatisfy { abs(output[$0] - 0.5 * Float(99 - $0) / 100) < 1e-6 })
    #expect(script.history == ["710/720 at 0", "warning 703 at 100", "714/703 at 100"])
  }

  @Test(
    "a file with damage in its middle ends before the damage", .shows("M4"),
    arguments: [false, true])
  func damaged(isPreloaded: Bool) throws {
    let path = try tone("flac", isBroken: false)
    let whole = try files.read(path)[0]
    var bytes = files.bytes(path)
    for index in (bytes.count / 2)..<(bytes.count / 2 + 3_000) { bytes[index] = bytes[index] &* 7 &+ 13 }
    let file = fopen(path, "w")!
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    let script = try SoundScript(ticks: 700)
    if isPreloaded { try script.pipeline.preloadEffect(7, path: path) }
    try script.pipeline.playEffect(7, SoundEffect(path: path))
    try script.run()
    let output = mixed(script)
    let end = try #require(output.lastIndex { $0 != 0 })
    // Half of the file is half of its sound, to some blocks of FLAC.
    #expect(abs(end - whole.count / 2) < 20_000)
    #expect(Array(output[..<(end - Self.fade)]) == Array(whole[..<(end - Self.fade)]))
    #expect(steepest(output) <= Self.amplitude * 2 * Float.pi * 437 / 48_000 + Self.amplitude / 240)
    let events = script.events.map(\.kind)
    #expect(events.count == 2 && events.last == .effectInterrupted(7), "\(script.history)")
  }
}
