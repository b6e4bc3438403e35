import AudioGraph
import Engine
import FileTestSupport
import FrameObservers
import Glibc
import Playback
import TestSupport
import Testing

/// Sounds whose file cannot be read any longer while they play, as on a disk that fails.
@Suite(.timeLimit(.minutes(10))) struct ReadErrorTests {
  private static let amplitude: Float = 0.4
  private let files = TestFiles()

  private func tone(_ kind: String) throws -> String {
    let samples = (0..<480_000).map { Self.amplitude * sine(437 * Double($0) / 48_000) }
    return try files.write("tone.\(kind)", [samples])
  }

  /// Lets every later read of a file that is open fail with EIO, as the kernel's answer for memory that is not mapped.
  private func breakReading(_ path: String) throws {
    let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
    try #require(memory >= 0)
    defer { close(memory) }
    let folder = try #require(opendir("/proc/self/fd"))
    defer { closedir(folder) }
    var broken = 0
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let descriptor = Int32(name) else { continue }
      var target = [UInt8](repeating: 0, count: 4_096)
      let length = target.withUnsafeMutableBytes {
        readlink("/proc/self/fd/\(name)", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
      }
      guard length > 0, String(decoding: target[..<length], as: UTF8.self) == path else { continue }
      try #require(dup2(memory, descriptor) == descriptor)
      broken += 1
    }
    #expect(broken > 0)
  }

  private func messages(_ script: SoundScript) -> [String] {
    script.events.compactMap { event in
      if case .warning(let warning) = event.kind { warning.message } else { nil }
    }
  }

  /// Checks that a sound comes up to `end` as it is in its file, but for a fade of 5 ms, and then nothing.
  private func expectFaded(_ script: SoundScript, _ whole: [Float], end: Int) {
    let output = script.seen.stream(FrameOrigin(position: .mixed))
    #expect(end > 2_000 && end < 400_000)
    let isSame = output[..<(end - 240)].elementsEqual(whole[..<(end - 240)])
    #expect(isSame)
    let steps = zip(output, output.dropFirst()).dropFirst(2_000).map { abs($1 - $0) }
    #expect((steps.max() ?? 0) <= 1.1 * Self.amplitude * 2 * Float.pi * 437 / 48_000 + Self.amplitude / 240)
    #expect(output[end...].allSatisfy { $0 == 0 })
  }

  @Test(
    "a read error fades an effect out and reports the cause",
    .shows("M4"),
    arguments: ["wav", "flac", "aiff"])
  func effect(kind: String) throws {
    let path = try tone(kind)
    let whole = try files.read(path)[0]
    let silence = try files.write("silence.wav", [[Float](repeating: 0, count: 288_000)])
    let script = try SoundScript(ticks: 1_000)
    script.at(0) {
      try script.pipeline.playEffect(7, SoundEffect(path: path))
      try script.pipeline.playEffect(8, SoundEffect(path: silence))
    }
    script.at(2) { try breakReading(path) }
    try script.run()
    let end = try #require(script.events.first?.samplePosition)
    #expect(script.history == ["warning 703 at \(end)", "effect 7 broken at \(end)", "effect 8 at 288000"])
    #expect(messages(script).first?.contains("reading failed (Input/output error)") == true, "\(messages(script))")
    expectFaded(script, whole, end: end)
  }

  @Test(
    "a read error fades music out and reports the cause", .shows("M4"), arguments: ["wav", "flac"])
  func music(kind: String) throws {
    let path = try tone(kind)
    let whole = try files.read(path)[0]
    let script = try SoundScript(ticks: 1_000)
    try script.pipeline.startAudioMixing(path, cycle: 2)
    script.at(2) { try breakReading(path) }
    try script.run()
    let end = try #require(script.events.last?.samplePosition)
    #expect(script.history == ["710/720 at 0", "warning 703 at \(end)", "714/703 at \(end)"])
    #expect(messages(script).first?.contains("reading failed (Input/output error)") == true, "\(messages(script))")
    expectFaded(script, whole, end: end)
  }
}
