import Foundation
import Testing

@Suite("process --voice-only")
struct VoiceOnlyFileTests {
  @Test(
    "A clean synthetic voice that speaks without a pause stays as it is: no 10 ms of it lose more than 2 dB",
    arguments: [22_050, 48_000])
  func clean(rate: Int) throws {
    let folder = try Workspace()
    let made = try Tool.shell(
      "espeak-ng -v en -w e.wav 'The quick brown fox jumps over the lazy dog. She sells sea shells by the sea shore.'"
        + " && sox -D e.wav -r \(rate) in.wav gain -n -6 pad 0.5 0.5", in: folder)
    try #require(made.status == 0, "\(made.errors)")
    let ending = try Tool.run("process in.wav -o out.wav --voice-only --no-dither -q", in: folder)
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
    "From the second second on, no second of a clean voice loses 1 dB of its lowest or highest tones, whatever it speaks",
    arguments: sentences)
  func languages(voice: String, sentence: String) throws {
    let folder = try Workspace()
    let made = try Tool.shell(
      "espeak-ng -v \(voice) -w e.wav '\(sentence)' && sox -D e.wav -r 16000 in.wav gain -n -6 pad 1 0.5", in: folder)
    try #require(made.status == 0, "\(made.errors)")
    let ending = try Tool.run("process in.wav -o out.wav --voice-only --no-dither -q", in: folder)
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

  /// The mean power of each piece.
  private func powers(_ folder: Workspace, _ name: String, rate: Int, milliseconds: Int = 10) throws -> [Double] {
    let data = try #require(Wave(try folder.read(name))).data
    let samples = data.withUnsafeBytes { $0.bindMemory(to: Int16.self).map { Double($0) / 32_768 } }
    let length = rate * milliseconds / 1_000
    return (0..<samples.count / length).map { piece in
      samples[piece * length..<(piece + 1) * length].reduce(0) { $0 + $1 * $1 } / Double(length)
    }
  }
}
