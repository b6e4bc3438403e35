import CommandTestSupport
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

  private static let script = """
    relay() { $A relay --listen 127.0.0.1:PORT --app-id demo --app-secret-file secret.txt 2>> relay.txt & R=$!; }
    soon() { until grep -q "$1" $2; do kill -0 $P || break; read -rt 0.05 <> <(:) || true; done; }
    relay; P=$R; soon 'listening at' relay.txt
    $A token create --app-id demo --app-secret-file secret.txt --channel room --uid 5 > t
    $A join --url ws://127.0.0.1:PORT --channel room --uid 5 --token-file t --publish tone.wav --record-mixed mixed.wav \\
      --duration SECONDS --json > report.json 2> errors.txt & P=$!
    soon 'has joined' errors.txt
    kill -9 $R; wait $R

    """

  @Test(
    "a relay that is lost at the end is 69, and the recording is valid", .shows("join: ends"),
    arguments: [(1, false), (12, true)])
  func lost(seconds: Int, returns: Bool) throws {
    let port = try Ports.pair()
    let folder = try folder()
    var script = Self.script.replacing("PORT", with: "\(port)").replacing("SECONDS", with: "\(seconds)")
    if returns { script += "soon 'is lost' errors.txt; relay; soon 'is back' errors.txt; kill -9 $R; wait $R\n" }
    let ending = try Tool.shell(script + "wait $P", in: folder)
    let errors = String(decoding: try folder.read("errors.txt"), as: UTF8.self)
    #expect(ending.status == 69 && errors.contains("error: ws://127.0.0.1:\(port): "), "\(errors)")
    for words in ["warning: the connection to the relay is lost", "the connection to the relay is back"] {
      #expect(errors.contains(words) == returns, "\(words) in \(errors)")
    }
    #expect(try folder.json("report.json")["state"] as? Int == 4)
    #expect(try #require(Wave(try folder.read("mixed.wav"))).frames > (seconds - 1) * 48_000 / 2)
  }

  @Test(
    "a token without the right to publish is 77 with the relay's sentence", .shows("join: ends"),
    arguments: ["--role audience", "--rights subscribe"])
  func rights(options: String) throws {
    let ending = try RelayScript.run(
      """
      $A token create --app-id demo --app-secret-file secret.txt --channel room --uid 5 \(options) > t
      $A join --url $URL --channel room --uid 5 --token-file t --publish tone.wav
      """, in: try folder())
    #expect(ending.status == 77 && ending.errors.contains("sign a token with"), "\(ending.errors)")
  }

  @Test("a token that expires during the call is 77", .shows("join: ends"))
  func expiry() throws {
    let ending = try RelayScript.run(
      """
      $A token create --app-id demo --app-secret-file secret.txt --channel room --uid 5 --valid-for 2s > t
      $A join --url $URL --channel room --uid 5 --token-file t --duration 20
      """, in: try folder())
    #expect(ending.status == 77 && ending.errors.contains("the channel has ended: the token "), "\(ending.errors)")
  }

  @Test("another session of the same uid ends the call with 69 and a remedy", .shows("join: ends"))
  func sameUser() throws {
    let folder = try folder()
    let ending = try RelayScript.run(
      """
      token room 5
      $A join --url $URL --channel room --uid 5 --token-file t5 --duration 20 2> errors.txt & P=$!
      until grep -q 'has joined' errors.txt; do kill -0 $P || break; read -rt 0.05 <> <(:) || true; done
      $A join --url $URL --channel room --uid 5 --token-file t5 --duration 0.1
      wait $P
      """, in: folder)
    let errors = String(decoding: try folder.read("errors.txt"), as: UTF8.self)
    #expect(ending.status == 69 && errors.contains("another session") && errors.contains("--uid"), "\(errors)")
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

  @Test("events that cannot be written are 74 and one sentence", .shows("join: ends"))
  func full() throws {
    let ending = try RelayScript.run(
      "token room 5; $A join --url $URL --channel room --uid 5 --token-file t5 --duration 0.2 --events - > /dev/full",
      in: try folder())
    #expect(ending.status == 74 && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains("cannot write to stdout"), "\(ending.errors)")
  }

  @Test(
    "a join without descriptors ends with one sentence, before its threads", .shows("join: ends"),
    arguments: [6, 8, 12, 20, 30])
  func descriptors(count: Int) throws {
    let ending = try RelayScript.run(
      """
      token room 5
      (ulimit -n \(count); exec timeout -s KILL 20 $A join --url $URL --channel room --uid 5 --token-file t5 --duration 0.2)
      """, in: try folder())
    #expect(ending.status == 69 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    #expect(ending.errors.contains("raise the limit with ulimit -n"), "\(ending.errors)")
  }

  @Test("the report has the channel, the assigned uid and the state", .shows("join"))
  func report() throws {
    let ending = try RelayScript.run(
      "token room 0; $A join --url $URL --channel room --token-file t0 --duration 0.2 --json", in: try folder())
    let report = try #require(ending.json, "\(ending.errors)")
    #expect(report["channel"] as? String == "room" && report["state"] as? Int == 3, "\(report)")
    #expect(try #require(report["uid"] as? Int) > 0 && report["heard"] != nil, "\(report)")
  }
}
