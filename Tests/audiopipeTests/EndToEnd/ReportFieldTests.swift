import Foundation
import Testing

@Suite("Fields of reports")
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
    "Every field of a call's report and of its events is named in the documentation",
    arguments: [
      (
        "--stats --mixed-out m.wav",
        ["listener", "refused", "expected_loss_percent", "muted", "sound_id", "quality", "told"]
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
    let ending = try Tool.run(
      "simulate --user 1=a.wav --user 2=b.wav --loss 10% --delay 20ms --script s.json --duration 5 --json \(options)",
      in: folder)
    let json = try #require(ending.json, "\(ending.errors)")
    let missing = Set(expected).subtracting(ReportFields.keys(of: json))
    #expect(missing.isEmpty, "of what it should hold there is no \(missing)")
    let unnamed = try ReportFields.unnamed(in: json, "simulate", "Events")
    #expect(unnamed.isEmpty)
  }

  @Test("A field that the documentation does not name is found, in whatever it stands")
  func planted() throws {
    let unnamed = try ReportFields.unnamed(in: ["users": ["1": ["seconds": [["planted": 0]]]]], "simulate")
    #expect(unnamed == ["planted"])
  }
}
