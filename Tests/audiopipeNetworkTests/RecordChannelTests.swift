import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// A relay, users and recorders as processes on loopback.
@Suite("record-channel", .serialized, .timeLimit(.minutes(10)))
struct RecordChannelTests {
  private func folder() throws -> Workspace {
    let folder = try RelayScript.folder()
    let tone = Signals.sine(400, rate: 48_000, seconds: 3, amplitude: 0.3)
    try folder.write("tone.wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    return folder
  }

  private static let functions = """
    soon() { until grep -q "$1" $2; do kill -0 $P || break; read -rt 0.05 <> <(:) || true; done; }
    record() { $A record-channel --url $URL --channel room --uid 900 --token-file t9 --out-dir calls "$@" > result.json 2> record.txt & P=$!; soon 'records the channel' record.txt; }
    $A token create --app-id demo --app-secret-file secret.txt --channel room --uid 900 --rights recorder > t9
    token room 5

    """

  /// Samples of a file of the recording at 48 kHz, decoded by ffmpeg.
  private func samples(_ name: String, in folder: Workspace) throws -> [Float] {
    let ending = try shell(
      "ffmpeg -v error -y -i \(name) -f f32le -ac 1 -ar 48000 decoded.raw", in: URL(fileURLWithPath: folder.path))
    #expect(ending.code == 0 && ending.errors.isEmpty, "\(ending.errors)")
    return try folder.read("decoded.raw").withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  @Test("a hidden recorder writes both stays of a user into one file", .shows("C22"))
  func stays() throws {
    let folder = try folder()
    let ending = try RelayScript.run(
      """
      \(Self.functions)
      record --json
      for stay in 1 2; do
        $A join --url $URL --channel room --uid 5 --token-file t5 --publish tone.wav --json-lines > events.$stay
      done
      kill -INT $P; wait $P; echo $?
      cat record.txt >&2
      """, in: folder)
    #expect(ending.text == "130\n", "\(ending.text)\(ending.errors)")
    // Nobody sees the recorder.
    for stay in [1, 2] {
      let events = String(decoding: try folder.read("events.\(stay)"), as: UTF8.self)
      #expect(!events.contains("\"uid\":900") && events.contains("\"uid\":5"), "\(events)")
    }
    let report = try folder.json("result.json")
    let files = try #require(report["files"] as? [[String: Any]])
    #expect(files.count == 1 && files.first?["uid"] as? Int == 5, "\(report)")
    #expect(files.first?["path"] as? String == "calls/5.opus")
    #expect(report["lost"] as? Int == 0 && report["state"] as? Int == 3)
    #expect(try ReportFields.unnamed(in: report, "record-channel") == [])
    // Two stays of 3 s.
    #expect(try #require(files.first?["packets"] as? Int) >= 290)
    let samples = try samples("calls/5.opus", in: folder)
    let duration = try #require(files.first?["duration_s"] as? Double)
    #expect(abs(Double(samples.count + 312) / 48_000 - duration) < 0.001)
    // The tone sounds for 6 s, in two parts.
    let loud = stride(from: 0, to: samples.count - 480, by: 480).map { start in
      samples[start..<start + 480].contains { abs($0) > 0.1 }
    }
    #expect((560...620).contains(loud.count(where: \.self)), "\(loud.count(where: \.self))")
    let parts = zip([false] + loud, loud).count { !$0 && $1 }
    #expect(parts == 2, "\(parts)")
  }

  @Test("a killed recorder leaves a valid file without the last second", .shows("C22"))
  func killed() throws {
    let folder = try folder()
    let ending = try RelayScript.run(
      """
      \(Self.functions)
      record
      $A join --url $URL --channel room --uid 5 --token-file t5 --publish tone.wav --json > joined.json
      kill -9 $P; wait $P; echo $?
      """, in: folder)
    #expect(ending.text == "137\n", "\(ending.text)\(ending.errors)")
    #expect(try samples("calls/5.opus", in: folder).count > 2 * 48_000)
  }

  @Test("wrong options, relays, tokens and folders have their exit codes")
  func refusals() throws {
    let folder = try folder()
    try folder.write("file", [1])
    let ending = try RelayScript.run(
      """
      \(Self.functions)
      $A record-channel --url $URL --channel room --token-file t9; echo $?
      $A record-channel --url $URL --token-file t9 --out-dir calls; echo $?
      $A record-channel --url $URL --channel room --uid 900 --token-file t9 --out-dir file/calls; echo $?
      $A record-channel --url $URL --channel room --uid 8 --token-file t9 --out-dir calls; echo $?
      $A record-channel --url ws://127.0.0.1:1 --channel room --uid 900 --token-file t9 --out-dir calls --duration 1; echo $?
      """, in: folder)
    #expect(ending.text.split(separator: "\n") == ["64", "64", "73", "77", "69"], "\(ending.text)\(ending.errors)")
  }

  @Test("packets of 20 users are recorded without a loss", .shows("C22"))
  func load() throws {
    let folder = try folder()
    let ending = try RelayScript.run(
      """
      \(Self.functions)
      record --json
      $A load --url $URL --app-id demo --app-secret-file secret.txt --channel room --ramp 100/s --publishers 20 \\
        --listeners 0 --duration 2s --json > load.json
      kill -INT $P; wait $P; echo $?
      cat record.txt >&2
      """, listen: "127.0.0.1:0 --max-publishers 50", in: folder)
    #expect(ending.text == "130\n", "\(ending.text)\(ending.errors)")
    let report = try folder.json("result.json")
    let files = try #require(report["files"] as? [[String: Any]])
    #expect(files.map { $0["uid"] as? Int } == Array(1...20), "\(report)")
    #expect(report["lost"] as? Int == 0)
    for file in files { #expect(try #require(file["packets"] as? Int) >= 95, "\(file)") }
  }
}
