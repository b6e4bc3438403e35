import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("process with a loudness target", .timeLimit(.minutes(10)))
struct LoudnessTargetTests {
  /// Loudness in LUFS and largest true peak in dBTP of a file, as ffmpeg prints them.
  private func ffmpeg(_ name: String, in folder: Workspace) throws -> (integrated: Double, truePeak: Double) {
    let script = "ffmpeg -hide_banner -nostats -i \(name) -af ebur128=peak=true -f null - 2>&1 | tail -12"
    let lines = try Tool.shell(script, in: folder).text.split(separator: "\n")
    func value(_ label: String) throws -> Double {
      let line = try #require(lines.first { $0.contains(label) }, "\(lines)")
      return try #require(line.split(separator: " ").compactMap { Double($0) }.first)
    }
    return (try value(" I:"), try value(" Peak:"))
  }

  private static let words = ["Front_Left", "Front_Right", "Front_Center", "Side_Left", "Rear_Center"]
  /// Words of recorded speech; chords with drums; pink noise of which clicks stand out by 24 dB.
  private static let signals = [
    "speech": "sox \(words.map { "/usr/share/sounds/alsa/\($0).wav" }.joined(separator: " ")) in.wav",
    "music":
      "sox -D -R -n -r 44100 -c 2 a.wav synth 8 pluck A2 pluck E3 pluck C#4 tremolo 2 40 gain -n -14; "
      + "sox -D -R -n -r 44100 -c 2 b.wav synth 0.1 pinknoise fade l 0 0.1 0.09 gain -n -3 pad 0 0.4 repeat 15; "
      + "sox -D -m -v 1 a.wav -v 1 b.wav -b 24 in.wav",
    "clicks":
      "sox -D -R -n -r 48000 -c 1 a.wav synth 6 pinknoise gain -n -24; "
      + "sox -D -R -n -r 48000 -c 1 b.wav synth 0.004 square 500 gain -2 pad 0 0.496 repeat 11; "
      + "sox -D -m -v 1 a.wav -v 1 b.wav -b 24 in.wav",
  ]

  @Test(
    "output meets the loudness target and true peak by ffmpeg",
    .shows("process: loudness"),
    arguments: [
      ("speech", "--loudness-target -16", -16.0, -1.0, 0.5), ("speech", "--loudness-target -27", -27, -1, 0),
      ("music", "--loudness-target -16 --true-peak -2", -16, -2, 1),
      ("music", "--loudness-target -18 --rate 48000 --channels 1 --sample-format s24", -18, -1, 0),
      ("clicks", "--loudness-target -20 --true-peak -3", -20, -3, 12), ("clicks", "--true-peak -9", .nan, -9, 5),
    ])
  func target(signal: String, options: String, loudness: Double, ceiling: Double, limiting: Double) throws {
    let folder = try Workspace()
    let made = try Tool.shell(try #require(Self.signals[signal]), in: folder)
    try #require(made.status == 0, "\(made.errors)")
    let ending = try Tool.call("process in.wav -o out.wav \(options) --json", in: folder)
    #expect(ending.status == 0 && ending.warnings.isEmpty, "\(ending.errors)")
    let target = try #require(ending.json?["loudness_target"] as? [String: Any])
    #expect(target["reached"] as? Bool == true && (2...8).contains(target["passes"] as? Int ?? 0), "\(target)")
    #expect(-(target["limiter_gain_db"] as? Double ?? .nan) >= limiting, "\(target)")
    let measured = try ffmpeg("out.wav", in: folder)
    // It prints tenths.
    if !loudness.isNaN { #expect(abs(measured.integrated - loudness) <= 0.1001, "\(measured)") }
    #expect(measured.truePeak <= ceiling, "\(measured)")
  }

  @Test(
    "a loudness target gives the same samples through pipes",
    .shows("process: loudness"), .shows("process: programs"))
  func pipes() throws {
    let folder = try Workspace()
    let tone = Signals.sine(997, rate: 16_000, seconds: 2, amplitude: 0.1)
    try folder.write("in.wav", Signals.wave("s16", rate: 16_000, channels: 1, tone).file())
    let options = "--loudness-target -9 --true-peak -6"
    let file = try Tool.call("process in.wav -o out.wav \(options)", in: folder)
    let pipe = try Tool.shell(
      "cat in.wav | $A process - -o - \(options) --observe mixed --observe-cmd 'cat >> seen.raw' > piped.wav",
      in: folder)
    #expect(file.status == 0 && pipe.status == 0, "\(file.errors)\(pipe.errors)")
    let out = try #require(Wave(try folder.read("out.wav")))
    let piped = try folder.read("piped.wav")
    #expect(out.frames == 32_000 && piped.suffix(out.data.count).elementsEqual(out.data))
    #expect(folder.size("seen.raw") == 64_000)
  }

  @Test("A loudness out of reach, and silence, are a warning and exit 0", .shows("process: loudness"))
  func warnings() throws {
    let folder = try Workspace()
    let tone = Signals.sine(997, rate: 16_000, seconds: 1, amplitude: 0.1)
    try folder.write("tone.wav", Signals.wave("s16", rate: 16_000, channels: 1, tone).file())
    try folder.write("none.wav", Wave(rate: 16_000, [Int16](repeating: 0, count: 16_000)).file())
    let far = try Tool.call("process tone.wav -o far.wav --loudness-target -5 --true-peak -20", in: folder)
    #expect(far.status == 0 && far.warnings.count == 1 && far.errors.contains("-5 LUFS cannot be reached"))
    #expect(try ffmpeg("far.wav", in: folder).truePeak <= -20)
    let none = try Tool.call("process none.wav -o same.wav --loudness-target -16", in: folder)
    #expect(none.status == 0 && none.warnings.count == 1 && none.errors.contains("has no loudness"))
    #expect(Wave(try folder.read("same.wav"))?.data == Wave(try folder.read("none.wav"))?.data)
  }

  @Test(
    "Without an output, and out of range, a target is refused with 64", .shows("process: loudness"), .shows("usage"),
    arguments: [
      ("--loudness-target -16", "--loudness-target has no output"), ("--true-peak -1", "--true-peak has no output"),
      ("-o out.wav --loudness-target -4", "from -70 to -5"), ("-o out.wav --true-peak 0.1", "from -20 to 0"),
    ])
  func refused(options: String, words: String) throws {
    let folder = try Workspace()
    try folder.write("in.wav", Wave(rate: 16_000, [Int16](repeating: 0, count: 1_600)).file())
    let ending = try Tool.call("process in.wav \(options)", in: folder)
    #expect(ending.status == 64 && ending.errors.contains(words), "\(ending.errors)")
    #expect(!folder.has("out.wav"))
  }

  @Test("a missing temporary folder ends the job with 74 and no output", .shows("process: loudness"))
  func noFolder() throws {
    let folder = try Workspace()
    let tone = Signals.sine(997, rate: 16_000, seconds: 4, amplitude: 0.1)
    try folder.write("in.wav", Signals.wave("s16", rate: 16_000, channels: 1, tone).file())
    let ending = try Tool.shell("TMPDIR=/nowhere $A process in.wav -o out.wav --loudness-target -16", in: folder)
    #expect(ending.status == 74 && ending.errors.contains("/nowhere"), "\(ending.errors)")
    #expect(!folder.has("out.wav") && !folder.has("out.wav.part"))
  }
}
