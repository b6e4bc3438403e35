import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("process with speech alone", .timeLimit(.minutes(10)))
struct VoiceOnlyModeTests {
  private let rate = 8_000

  /// A second of noise that stays.
  private func noise(seed: UInt64) -> Wave {
    var generator = SeededGenerator(seed: seed)
    return Signals.wave(
      "s16", rate: rate, channels: 1, (0..<rate).map { _ in Double.random(in: -0.1...0.1, using: &generator) })
  }

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    for (index, name) in ["in", "other", "own"].enumerated() {
      try folder.write(name + ".wav", noise(seed: UInt64(index)).file())
    }
    return folder
  }

  /// The mean power of the last 0.2 s.
  private func power(_ wave: Wave) -> Double {
    wave.int16().suffix(rate / 5).reduce(0) { $0 + Double($1) * Double($1) } / Double(rate / 5)
  }

  @Test(
    "noise of input, user and listener is removed, and the length stays", .shows("G4", "process: voice-only")
  )
  func noiseGoes() throws {
    let folder = try folder()
    let line = "process in.wav --user other.wav --local own.wav --no-dither"
    for (name, option) in [("all", ""), ("only", "--voice-only")] {
      let ending = try Tool.call("\(line) -o \(name).wav \(option)", in: folder)
      #expect(ending.status == 0, "\(ending.errors)")
    }
    let (all, only) = (try #require(Wave(try folder.read("all.wav"))), try #require(Wave(try folder.read("only.wav"))))
    #expect(only.frames == all.frames)
    #expect(power(only) < 0.02 * power(all))
  }

  @Test("Paced by the clock it is the same, to the bit", .shows("G4: switching", "process: voice-only"))
  func paced() throws {
    let folder = try folder()
    for (name, option) in [("free", ""), ("paced", "--realtime")] {
      let ending = try Tool.call("process in.wav -o \(name).wav --voice-only \(option)", in: folder)
      #expect(ending.status == 0, "\(ending.errors)")
    }
    #expect(try folder.read("free.wav") == folder.read("paced.wav"))
  }

  @Test("The graph and a dry run show the mode and its delay", .shows("process: voice-only"))
  func shown() throws {
    let folder = try folder()
    for line in ["graph in.wav", "process in.wav -o out.wav --dry-run"] {
      let ending = try Tool.call("\(line) --voice-only", in: folder)
      #expect(ending.status == 0, "\(ending.errors)")
      let text = String(decoding: ending.output, as: UTF8.self)
      #expect(text.contains("voice only 1 (NoiseSuppressorNode, adds 432 samples)"))
    }
  }
}
