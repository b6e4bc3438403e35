import Foundation
import TestSupport
import Testing

/// Ends of `join`: relays that die, tokens that end, files and lines that cannot be written.
@Suite("join", .serialized, .timeLimit(.minutes(5)))
struct JoinTests {
  private func folder() throws -> Workspace {
    let folder = try RelayScript.folder()
    let tone = Signals.sine(400, rate: 48_000, seconds: 3, amplitude: 0.3)
    try folder.write("tone.wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    return folder
  }

  @Test(
    "files that cannot be written are refused before the relay is called", .shows("join: ends"),
    arguments: [
      ("--record-playback old.wav", 73, "old.wav"), ("--record-mixed none/x.wav", 73, "none/x.wav"),
      ("--record-mixed x.txt", 64, "x.txt"), ("--record-mixed each", 64, "each"),
      ("--each-out old.wav", 73, "old.wav"), ("--each-out each", 73, "user.5.wav"),
      ("--record-mixed x.wav --record-playback ./x.wav", 64, "--record-playback"),
      ("--publish tone.wav --record-mixed tone.wav --overwrite", 64, "--publish"),
    ])
  func outputs(options: String, status: Int, words: String) throws {
    let folder = try folder()
    try FileManager.default.createDirectory(atPath: folder["each"], withIntermediateDirectories: false)
    for name in ["old.wav", "each/user.5.wav"] { try folder.write(name, []) }
    let ending = try Tool.call("join --url ws://127.0.0.1:9 --app-id demo --channel room \(options)", in: folder)
    #expect(ending.status == Int32(status) && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains(words) && !folder.has("x.wav"), "\(ending.errors)")
  }
}
