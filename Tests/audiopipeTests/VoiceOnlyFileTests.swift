import CommandTestSupport
import Foundation
import TestSupport
import Testing
import VoiceCorpus

@Suite("process --voice-only", .timeLimit(.minutes(10)))
struct VoiceOnlyFileTests {
  @Test(
    "a clean voice without pauses changes by less than 2 dB in each 10 ms",
    .shows("G4"),
    arguments: [22_050, 48_000])
  func clean(rate: Int) throws {
    let folder = try Workspace()
    let made = try Tool.shell(
      "espeak-ng -v en -w e.wav 'The quick brown fox jumps over the lazy dog. She sells sea shells by the sea shore.'"
        + " && sox -D e.wav -r \(rate) in.wav gain -n -6 pad 0.5 0.5", in: folder)
    try #require(made.status == 0, "\(made.errors)")
    let ending = try Tool.call("process in.wav -o out.wav --voice-only --no-dither -q", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let (before, after) = (try powers(folder, "in.wav", rate: rate), try powers(folder, "out.wav", rate: rate))
    try #require(before.count == after.count && before.count > 400)
    let said = before.indices.filter { before[$0] > 1e-4 * before.max()! }
    let losses = said.map { 10 * log10(before[$0] / max(after[$0], 1e-20)) }
    #expect(said.count > 300 && losses.allSatisfy { abs($0) < 2 }, "\(losses.max()!) dB")
  }

  private static let sentences = [
    ("fr", "Les enfants jouent dans le jardin, et le soleil brille sur la mer toute la journée."),
    ("de+f2", "Zwischen den Jahren sitzen sechzig Zwerge auf schwarzen Fässern und singen leise."),
    ("pl", "W Szczebrzeszynie chrząszcz brzmi w trzcinie i Szczebrzeszyn z tego słynie."),
  ]

  @Test(
    "a clean voice keeps its lowest and highest tones within 1 dB",
    .shows("G4"),
    arguments: sentences)
  func languages(voice: String, sentence: String) throws {
    let folder = try Workspace()
    let made = try Tool.shell(
      "espeak-ng -v \(voice) -w e.wav '\(sentence)' && sox -D e.wav -r 16000 in.wav gain -n -6 pad 1 0.5", in: folder)
    try #require(made.status == 0, "\(made.errors)")
    let ending = try Tool.call("process in.wav -o out.wav --voice-only --no-dither -q", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    for band in ["-200", "3000"] {
      let cut = try Tool.shell(
        "for name in in out; do sox -D $name.wav $name-cut.wav sinc \(band); done", in: folder)
      try #require(cut.status == 0, "\(cut.errors)")
      let before = try powers(folder, "in-cut.wav", rate: 16_000, milliseconds: 1_000)
      let after = try powers(folder, "out-cut.wav", rate: 16_000, milliseconds: 1_000)
      try #require(before.count == after.count && before.count > 3)
      for (place, (old, new)) in zip(before, after).enumerated() where place > 1 && old > 1e-3 * before.max()! {
        #expect(abs(10 * log10(new / old)) < 1, "\(voice), sinc \(band), second \(place)")
      }
    }
  }

  @Test(
    "keyboard noise under continuous speech is reduced after 10 s",
    .shows("G4"),
    arguments: ["en+f2", "en+f5"])
  func keysUnderWords(voice: String) throws {
    let folder = try Workspace()
    let text =
      "The quick brown fox jumps over the lazy dog, and she sells sea shells by the sea shore, while we all were away a "
      + "year ago, and the sunlight strikes raindrops in the air which act as a prism and form a rainbow, a division of "
      + "white light into many beautiful colors that take the shape of a long round arch with its path high above."
    let made = try Tool.shell(
      "espeak-ng -v \(voice) -w e.wav '\(text)' && sox -D e.wav -r 48000 in.wav gain -n -6 silence 1 0.01 1%",
      in: folder)
    try #require(made.status == 0, "\(made.errors)")
    let words = try samples(folder, "in.wav")
    let power = words.reduce(0) { $0 + $1 * $1 } / Double(words.count)
    let keys = RoomNoise.keyboard.samples(count: words.count, sampleRate: 48_000, seed: 3)
    let gain = (power / 10).squareRoot()
    let noisy = zip(words, keys).map { Int16(max(-32_768, min(32_767, 32_768 * ($0 + gain * Double($1))))) }
    _ = try folder.write("noisy.raw", noisy.withUnsafeBytes { Array($0) })
    let stored = try Tool.shell("sox -t raw -r 48000 -c 1 -e signed -b 16 noisy.raw noisy.wav", in: folder)
    try #require(stored.status == 0, "\(stored.errors)")
    let ending = try Tool.call("process noisy.wav -o out.wav --voice-only --no-dither -q", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let cut = try Tool.shell(
      "for name in in noisy out; do sox -D $name.wav $name-cut.wav sinc 3000 trim 10; done", in: folder)
    try #require(cut.status == 0, "\(cut.errors)")
    // Above 3 kHz, where most of the keys is: how far the level of each 10 ms is from that of the words alone.
    let levels = try ["in", "noisy", "out"].map { name in
      try powers(folder, "\(name)-cut.wav", rate: 48_000).map { 10 * log10($0 + 1e-8) }
    }
    func distance(_ some: [Double]) -> Double {
      zip(some, levels[0]).reduce(0) { $0 + abs($1.0 - $1.1) } / Double(levels[0].count)
    }
    #expect(
      levels[0].count > 500 && distance(levels[2]) < 0.9 * distance(levels[1]),
      "\(distance(levels[2])), \(distance(levels[1]))")
  }

  private func samples(_ folder: Workspace, _ name: String) throws -> [Double] {
    try #require(Wave(try folder.read(name))).data.withUnsafeBytes {
      $0.bindMemory(to: Int16.self).map { Double($0) / 32_768 }
    }
  }

  /// The mean power of each piece.
  private func powers(_ folder: Workspace, _ name: String, rate: Int, milliseconds: Int = 10) throws -> [Double] {
    let samples = try samples(folder, name)
    let length = rate * milliseconds / 1_000
    return (0..<samples.count / length).map { piece in
      samples[piece * length..<(piece + 1) * length].reduce(0) { $0 + $1 * $1 } / Double(length)
    }
  }
}
