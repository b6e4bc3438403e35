import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Users that are heard in another channel than their own, as processes on loopback.
@Suite("join: other channels", .serialized, .timeLimit(.minutes(10)))
struct JoinRelayTests {
  private static let hertz = 400.0

  private func folder() throws -> Workspace {
    let folder = try RelayScript.folder()
    let tone = Signals.sine(Self.hertz, rate: 48_000, seconds: 3, amplitude: 0.3)
    try folder.write("tone.wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    return folder
  }

  @Test(
    "a file that is published in one channel is heard in another", .shows("C18", "join", "relay: workers"),
    arguments: [1, 2])
  func heard(workers: Int) throws {
    let folder = try folder()
    let ending = try RelayScript.run(
      """
      token hall 6; token hall 8
      $A token create --app-id demo --app-secret-file secret.txt --channel room --uid 5 --relay-to hall > t5
      $A join --url $URL --channel hall --uid 6 --token-file t6 --duration 4 --record-playback heard.wav \\
        --events - > listener.txt & P=$!
      until grep -q didJoinChannel listener.txt; do read -rt 0.05 <> <(:) || true; done
      $A join --url $URL --channel room --uid 5 --token-file t5 --publish tone.wav --relay-to hall \\
        --relay-token-file t8 --events - > host.txt || exit 1
      wait $P
      """, listen: "127.0.0.1:0 --workers \(workers)", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try RelayScript.amplitude(Self.hertz, in: "heard.wav", of: folder) > 0.1)
    let host = String(decoding: try folder.read("host.txt"), as: UTF8.self)
    for text in [
      #""event":"didStartMediaRelayToChannel","channel":"hall","uid":8"#, #""event":"channelMediaRelayStateDidChange""#,
    ] { #expect(host.replacing(" ", with: "").contains(text), "\(host)") }
    let listener = String(decoding: try folder.read("listener.txt"), as: UTF8.self)
    #expect(listener.contains("didJoinedOfUid") && listener.contains("didOfflineOfUid"), "\(listener)")
  }

  @Test("a token without the right ends the command with 77", .shows("C18", "join"))
  func right() throws {
    let folder = try folder()
    let ending = try RelayScript.run(
      """
      token room 5; token hall 8
      $A join --url $URL --channel room --uid 5 --token-file t5 --publish tone.wav --relay-to hall --relay-token-file t8
      """, in: folder)
    #expect(ending.status == 77, "\(ending.errors)")
    #expect(ending.errors.contains("relay:hall"), "\(ending.errors)")
  }

  @Test(
    "options for other channels that do not fit are refused", .shows("C18", "join"),
    arguments: [
      ("--relay-to hall", "--publish"), ("--publish tone.wav --relay-token-file t", "0 times"),
      ("--publish tone.wav --relay-to hall --relay-to hall", "another channel"),
      ("--publish tone.wav --relay-to room", "--channel"),
      ("--publish tone.wav --relay-to hall --relay-token-file -", "stdin"),
      ("--publish tone.wav --relay-to a/b", "a/b"),
    ])
  func refusals(_ options: String, _ text: String) throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "$A join --url ws://127.0.0.1:9 --app-id demo --channel room \(options)", in: folder)
    #expect(ending.status == 64 && ending.errors.contains(text), "\(ending.errors)")
  }
}
