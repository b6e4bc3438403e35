import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("Fields of reports", .timeLimit(.minutes(10)))
struct ReportFieldTests {
  /// What is refused, what changes a link, and what makes users come and go, beside sound.
  private static let script = """
    {"schema": 1, "events": [
      {"time_s": 0.5, "name": "mute", "user": 1, "listener": 2}, {"time_s": 1, "name": "unmute", "user": 1},
      {"time_s": 0.6, "name": "mute", "user": 2}, {"time_s": 1.2, "name": "unmute", "user": 2},
      {"time_s": 0.7, "name": "playEffect", "user": 1, "id": 7, "file": "b.wav"},
      {"time_s": 0.8, "name": "startMusic", "user": 2, "file": "b.wav"},
      {"time_s": 1.5, "name": "stopEffect", "user": 1, "id": 4},
      {"time_s": 2, "name": "network", "from": 1, "to": 2, "loss_percent": 30},
      {"time_s": 2, "name": "reportActiveSpeaker", "listener": 1}, {"time_s": 4.5, "name": "leave", "user": 2}]}
    """

  @Test(
    "each field of a call's report and events is documented", .shows("JSON"),
    arguments: [
      (
        "--stats --mixed-out m.wav",
        ["listener", "refused", "expected_loss_percent", "muted", "sound_id", "quality", "reported"]
      ),
      ("--codec null", ["mismatches", "nack", "target_ms", "ledger"]),
    ])
  func call(options: String, expected: [String]) throws {
    let folder = try Workspace()
    for (name, pitch) in [("a.wav", 200.0), ("b.wav", 300)] {
      let tone = Signals.sine(pitch, rate: 48_000, seconds: 1, amplitude: 0.3)
      try folder.write(name, Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    }
    try folder.write("s.json", Array(Self.script.utf8))
    let ending = try Tool.call(
      "simulate --user 1=a.wav --user 2=b.wav --loss 10% --delay 20ms --script s.json --duration 5 --json \(options)",
      in: folder)
    let json = try #require(ending.json, "\(ending.errors)")
    let missing = Set(expected).subtracting(ReportFields.keys(of: json))
    #expect(missing.isEmpty, "of what it should hold there is no \(missing)")
    let unnamed = try ReportFields.unnamed(in: json, "simulate", "Events")
    #expect(unnamed.isEmpty)
  }

  /// Everything that sounds, and a program that reads it.
  private static let whole =
    "a.wav --user b.wav:at=0.2:pan=0.5 --local b.wav --gain 3 --mix b.wav:volume=20:cycle=2 "
    + "--effect 3=b.wav:pitch=1.2:loop=1 --pitch +3st --voice-only --codec opus:fec --rate 44100"

  /// A line, the headings of the documentation that it belongs below, and fields that it shows.
  private static let lines: [(String, [String], [String])] = [
    (
      "process \(whole) --observe record,mixed --observe-cmd cat>/dev/null -o o.wav --json-lines",
      ["process", "Volume, pitch and loudness", "Events"],
      ["at_s", "done_s", "report", "loop", "pause", "overruns", "sound_id", "voicing", "shortterm_lufs", "range_lu"]
    ),
    (
      "process a.wav b.wav missing.wav --json",
      ["process", "Several inputs", "Volume, pitch and loudness"], ["jobs", "exit_code", "edges"]
    ),
    ("process a.wav -o o.wav --loudness-target -20 --json", ["process", "Volume, pitch and loudness"], ["reached"]),
    ("process a.wav -o o.wav --true-peak -2 --dry-run --json", ["process", "graph"], ["true_peak_dbtp"]),
    ("process missing.wav --json-lines", ["process"], ["message", "exit_code"]),
    ("process \(whole) -o o.wav --dry-run --json", ["process", "graph"], ["sample_format", "seconds", "nodes"]),
    ("process a.wav missing.wav --dry-run --json-lines", ["process", "graph", "Several inputs"], ["error", "graph"]),
    (
      "analyze a.wav c.wav missing.wav --volume --pitch --loudness --json",
      ["analyze", "Several inputs", "Volume, pitch and loudness", "Events"],
      ["jobs", "median_f0_hz", "integrated_lufs", "vad", "voicing", "code"]
    ),
    ("graph \(whole) --json", ["graph"], ["latency_samples", "delay_ms"]),
    ("doctor --json", ["doctor"], ["lateness_us", "features", "advice"]),
  ]

  @Test(
    "each field of process, analyze, graph and doctor is documented", .shows("JSON"),
    arguments: ReportFieldTests.lines)
  func file(line: String, headings: [String], expected: [String]) throws {
    let folder = try Workspace()
    for (name, pitch) in [("a.wav", 200.0), ("b.wav", 300)] {
      let tone = Signals.sine(pitch, rate: 48_000, seconds: 1, amplitude: 0.3)
      try folder.write(name, Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    }
    // What is no number is a warning, and so an event.
    try folder.write("c.wav", Signals.wave("f32", rate: 16_000, channels: 1, [.nan, 0.5]).file())
    let ending = try Tool.call(line, in: folder)
    let written = try ending.text.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8))
    }
    let missing = Set(expected).subtracting(ReportFields.keys(of: written))
    #expect(missing.isEmpty, "of what it should hold there is no \(missing): \(ending.errors)")
    let unnamed = try ReportFields.unnamed(in: written, below: headings)
    #expect(unnamed.isEmpty)
  }

  @Test("an undocumented field is found at any depth", .shows("JSON"))
  func planted() throws {
    let unnamed = try ReportFields.unnamed(in: ["users": ["1": ["seconds": [["planted": 0]]]]], "simulate")
    #expect(unnamed == ["planted"])
  }
}
