import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("process --keep-formants", .timeLimit(.minutes(10)))
struct KeptFormantsTests {
  @Test(
    "kept formants add no highs to a narrowband voice",
    .shows("process: pitch"),
    arguments: [(8_000, 6_000), (16_000, 11_000)], ["+2st", "+5st"])
  func bandwidth(band: (rate: Int, above: Int), pitch: String) throws {
    let folder = try Workspace()
    let words = "The quick brown fox jumps over the lazy dog. She sells sea shells by the sea shore."
    let made = try Tool.shell(
      "espeak-ng -v en+f3 -w voice.wav '\(words)'; sox -D voice.wav -r \(band.rate) -b 16 in.wav vol 0.5", in: folder)
    try #require(made.status == 0, "\(made.errors)")
    let ending = try Tool.call(
      "process in.wav -o out.wav --rate 48000 --pitch \(pitch) --keep-formants", in: folder)
    try #require(ending.status == 0, "\(ending.errors)")
    func level(_ effects: String) throws -> Double {
      let said = try Tool.shell("sox out.wav -n \(effects) stats 2>&1 | grep 'RMS lev'", in: folder).text
      return try #require(said.split(separator: " ").last.flatMap { Double($0.filter { !$0.isWhitespace }) }, "\(said)")
    }
    #expect(try level("sinc \(band.above)") < level("") - 50, "in dB")
  }
}
