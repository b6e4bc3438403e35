import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("Examples", .timeLimit(.minutes(10)))
struct ExampleTests {
  /// How each is called, with a file in the place of FILE.
  private static let calls = [
    "AsyncFrames FILE", "ChangeFrames FILE out.wav", "CustomNode FILE out.wav", "Karaoke FILE in.wav out.wav",
    "Karaoke in.wav FILE out.wav", "ModerationMeter in.wav FILE", "ObserveThreePositions FILE", "PushBack FILE",
    "Soundboard out.wav a=in.wav b=FILE",
  ]

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    try folder.write("in.wav", Wave(rate: 16_000, [Int16](repeating: 1_000, count: 1_600)).file())
    try folder.write("text.wav", Array("hello\n".utf8))
    try FileManager.default.createDirectory(atPath: folder["folder.wav"], withIntermediateDirectories: false)
    return folder
  }

  private func run(_ call: String, in folder: Workspace) throws -> Tool.Ending {
    try Tool.shell("SWIFT_BACKTRACE=enable=no ${A%/*}/\(call)", in: folder)
  }

  @Test(
    "an example names an unreadable file and writes nothing",
    arguments: calls)
  func bad(call: String) throws {
    for (name, status) in [("none.wav", 66), ("folder.wav", 66), ("text.wav", 65)] as [(String, Int32)] {
      let folder = try folder()
      let ending = try run(call.replacingOccurrences(of: "FILE", with: name), in: folder)
      #expect(ending.status == status, "\(call) with \(name): \(ending.errors)")
      let lines = ending.errors.split(separator: "\n")
      #expect(lines.count == 1 && lines[0].contains("\(name): "), "\(call) with \(name): \(ending.errors)")
      #expect(!folder.has("out.wav") && !folder.has("out.wav.part"), "\(call) with \(name)")
    }
  }

  @Test("each example with good files exits with 0 and prints something", arguments: calls)
  func good(call: String) throws {
    let folder = try folder()
    let ending = try run(call.replacingOccurrences(of: "FILE", with: "in.wav"), in: folder)
    #expect(ending.status == 0 && ending.errors.isEmpty && !ending.output.isEmpty, "\(call): \(ending.errors)")
  }

  @Test(
    "an example without arguments prints its usage as an error",
    arguments: ["Soundboard", "ModerationMeter", "LoudnessBatch"])
  func usage(name: String) throws {
    let folder = try folder()
    let wrong = try run(name, in: folder)
    #expect(wrong.status == 64 && wrong.errors.hasPrefix("usage: \(name) ") && wrong.output.isEmpty)
    let asked = try run("\(name) --help", in: folder)
    #expect(asked.status == 0 && asked.text.hasPrefix("usage: \(name) ") && asked.errors.isEmpty)
  }

  @Test("ChannelRecorder joins by a token and keeps the files of earlier runs")
  func recorder() throws {
    let folder = try RelayScript.folder()
    let ending = try RelayScript.run(
      """
      token room 0
      export SWIFT_BACKTRACE=enable=no AUDIOPIPE_TOKEN=$(cat t0)
      ${A%/*}/ChannelRecorder $URL demo room . 1 || exit 1
      ${A%/*}/ChannelRecorder $URL demo room . 1 2> errors.txt; [ $? = 73 ]
      """, in: folder)
    #expect(ending.status == 0 && folder.has("mixed.wav"), "\(ending.errors)")
    let errors = String(decoding: try folder.read("errors.txt"), as: UTF8.self)
    #expect(errors.contains("mixed.wav: ") && errors.contains("choose another name"), "\(errors)")
    #expect(!errors.contains("--overwrite") && errors.split(separator: "\n").count == 1, "\(errors)")
  }

  @Test("the example of a host is heard in the other channel", .shows("C18"))
  func coHost() throws {
    let folder = try RelayScript.folder()
    let tone = Signals.sine(400, rate: 48_000, seconds: 4, amplitude: 0.3)
    try folder.write("tone.wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    let ending = try RelayScript.run(
      """
      token hall 8; token hall 9
      $A token create --app-id demo --app-secret-file secret.txt --channel room --uid 0 --relay-to hall > t0
      export SWIFT_BACKTRACE=enable=no AUDIOPIPE_TOKEN=$(cat t0) AUDIOPIPE_OTHER_TOKEN=$(cat t8)
      $A join --url $URL --channel hall --uid 9 --token-file t9 --duration 3 --record-playback heard.wav \
        --json-lines > events.txt & J=$!
      timeout 20 bash -c "until grep -q didJoinChannel events.txt; do read -rt 0.05 <> <(:) || true; done"
      ${A%/*}/CoHost $URL demo room hall tone.wav 2 > host.txt; STATUS=$?
      wait $J && [ $STATUS = 0 ]
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(String(decoding: try folder.read("host.txt"), as: UTF8.self) == "user 8 speaks in hall\n")
    #expect(try RelayScript.amplitude(400, in: "heard.wav", of: folder) > 0.1)
  }

  @Test(
    "an example that is ended by a signal leaves and completes its files", .serialized,
    arguments: ["INT", "TERM"])
  func signals(signal: String) throws {
    let folder = try RelayScript.folder()
    let ending = try RelayScript.run(
      """
      token room 0; token room 9
      export SWIFT_BACKTRACE=enable=no AUDIOPIPE_TOKEN=$(cat t0)
      logged() { timeout 20 bash -c "until grep -q $1 events.txt; do read -rt 0.05 <> <(:) || true; done"; }
      $A join --url $URL --channel room --uid 9 --token-file t9 --json-lines > events.txt & J=$!
      logged didJoinChannel
      ${A%/*}/ChannelRecorder $URL demo room . 60 & P=$!
      ${A%/*}/ChannelEcho $URL demo room & Q=$!
      logged didJoinedOfUid
      kill -\(signal) $P $Q; wait $P; echo $? > status.txt; wait $Q; echo $? >> status.txt
      logged didOfflineOfUid; LEFT=$?
      kill -INT $J; wait $J
      [ $LEFT = 0 ]
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let status = String(decoding: try folder.read("status.txt"), as: UTF8.self)
    let number = signal == "INT" ? 130 : 143
    #expect(status == "\(number)\n\(number)\n")
    let events = String(decoding: try folder.read("events.txt"), as: UTF8.self).split(separator: "\n")
    let offline = try #require(events.first { $0.contains("didOfflineOfUid") })
    #expect(offline.contains(#""reason":0"#), "\(offline)")
    #expect(folder.has("mixed.wav") && !folder.has("mixed.wav.part"))
  }
}
