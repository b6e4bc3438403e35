import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("analyze", .timeLimit(.minutes(10)))
struct AnalyzeTests {
  /// A square wave of -6.02 dBFS for 0.4 s, silence for 0.2 s, and 0.1 s of a square wave that is clipped.
  private static let steps =
    (0..<6_400).map { $0 / 20 % 2 == 0 ? 0.5 : -0.5 } + [Double](repeating: 0, count: 3_200)
    + (0..<1_600).map { $0 / 20 % 2 == 0 ? 1.0 : -1.0 }

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    try folder.write("in.wav", Signals.wave("s16", rate: 16_000, channels: 1, Self.steps).file())
    return folder
  }

  private func lines(_ bytes: [UInt8]) -> [Substring] { String(decoding: bytes, as: UTF8.self).split(separator: "\n") }

  @Test("the table has a row for each interval and for the rest", .shows("analyze"))
  func table() throws {
    let folder = try folder()
    let ending = try Tool.call("analyze in.wav --volume --csv t.csv", in: folder)
    #expect(ending.status == 0 && ending.output.isEmpty, "\(ending.errors)")
    let rows = lines(try folder.read("t.csv"))
    #expect(rows.count == 5 && rows[0] == "time_s,volume,rms_dbfs,peak_dbfs,vad")
    #expect(rows[1].hasPrefix("0.0,229,-6.02,-6.02,") && rows[2].hasPrefix("0.2,229,-6.02,-6.02,"))
    #expect(rows[3].hasPrefix("0.4,0,-120.0,-120.0,0") && rows[4].hasPrefix("0.6,255,0.0,0.0,"))
  }

  @Test("without a kind of analysis the summary has all kinds", .shows("analyze"))
  func everyKind() throws {
    let folder = try folder()
    let all = try Tool.call("analyze in.wav", in: folder)
    let named = try Tool.call("analyze in.wav --volume --pitch --loudness", in: folder)
    #expect(all.status == 0 && all.text.contains("RMS") && all.text.contains("LUFS"))
    #expect(all.text == named.text)
    // A picture alone has no numbers.
    #expect(try Tool.call("analyze in.wav --plot p.svg", in: folder).text.contains("LUFS") == false)
  }

  @Test("the summary has RMS, peak and clipped samples as text and as JSON", .shows("analyze"))
  func summary() throws {
    let folder = try folder()
    let text = try Tool.call("analyze in.wav --volume", in: folder)
    // (0.4 x 0.25 + 0.1 x 1) / 0.7.
    let rms = 10 * log10(0.2 / 0.7)
    #expect(
      text.text == "in.wav (16000 Hz mono, 0.7 s): RMS -5.44 dBFS, peak 0.0 dBFS, 1600 clipped samples\n"
        || text.text.hasSuffix("RMS -5.44 dBFS, peak 0.0 dBFS, 1600 clipped samples\n"), "\(text.text)")
    let json = try #require(try Tool.call("analyze in.wav --volume --json --interval 100", in: folder).json)
    #expect(json["schema"] as? Int == 1 && json["interval_ms"] as? Int == 100)
    let input = try #require(json["input"] as? [String: Any])
    #expect(input["path"] as? String == "in.wav" && input["frames"] as? Int == 11_200)
    let summary = try #require(json["summary"] as? [String: Double])
    #expect(abs(summary["rms_dbfs"]! - rms) < 0.006 && summary["peak_dbfs"] == 0 && summary["clipped_samples"] == 1_600)
    let volume = try #require(json["volume"] as? [[String: Double]])
    #expect(volume.map { $0["time_s"] } == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    #expect(volume.map { $0["volume"] } == [229, 229, 229, 229, 0, 0, 255])
  }

  @Test("an undefined loudness is null in JSON, empty in CSV, none in text", .shows("loudness: none"))
  func noLoudness() throws {
    let folder = try Workspace()
    let silence = [Double](repeating: 0, count: 48_000)
    let short = (0..<4_800).map { 0.5 * sin(Double($0) / 10) }
    for (name, samples) in [("silence.wav", silence), ("short.wav", short)] {
      try folder.write(name, Signals.wave("s16", rate: 16_000, channels: 1, samples).file())
      let json = try #require(try Tool.call("analyze \(name) --loudness --json", in: folder).json)
      let summary = try #require(json["summary"] as? [String: Any])
      #expect(summary["integrated_lufs"] is NSNull && summary["range_lu"] is NSNull)
      #expect((summary["true_peak_dbtp"] is NSNull) == (name == "silence.wav"))
      let text = try Tool.call("analyze \(name) --loudness", in: folder).text
      #expect(text.contains("loudness none, range none") && !text.contains("-120.0 LUFS"), "\(text)")
    }
    _ = try Tool.call("analyze silence.wav --loudness --csv t.csv", in: folder)
    #expect(lines(try folder.read("t.csv"))[1...].allSatisfy { $0.hasSuffix(",,") })
  }

  @Test("control characters of a file name are escaped")
  func names() throws {
    let folder = try folder()
    let name = "a\n\u{1B}[31mb.wav"
    try folder.write(name, try folder.read("in.wav"))
    let text = try Tool.shell("$A analyze --volume *b.wav", in: folder).text
    #expect(text.hasPrefix("a\\n\\u{1B}[31mb.wav (") && text.filter(\.isNewline).count == 1, "\(text)")
  }

  @Test("RMS and peak are those that sox finds", .shows("analyze"), arguments: ["Front_Center", "Noise"])
  func sox(name: String) throws {
    let folder = try Workspace()
    let file = "/usr/share/sounds/alsa/\(name).wav"
    let json = try #require(try Tool.call("analyze \(file) --volume --json", in: folder).json)
    let summary = try #require(json["summary"] as? [String: Double])
    let stats = try Tool.shell("sox \(file) -n stats 2>&1", in: folder).text.split(separator: "\n")
    func value(_ label: String) throws -> Double {
      let line = try #require(stats.first { $0.hasPrefix(label) })
      return try #require(Double(line.split(separator: " ").last ?? ""))
    }
    #expect(abs(summary["rms_dbfs"]! - (try value("RMS lev dB"))) < 0.011)
    #expect(abs(summary["peak_dbfs"]! - (try value("Pk lev dB"))) < 0.011)
  }

  @Test("A phrase of recorded speech is voice, noise that stays is not", .shows("volume CSV"))
  func voice() throws {
    let folder = try Workspace()
    _ = try Tool.shell(
      "sox /usr/share/sounds/alsa/Front_Center.wav speech.wav pad 0.5 0.5; "
        + "sox -R -n -r 48000 -b 16 noise.wav synth 6 whitenoise gain -30", in: folder)
    let speech = lines(try Tool.call("analyze speech.wav --volume --csv -", in: folder).output).dropFirst()
    #expect(speech.first?.hasSuffix(",0") == true && speech.last?.hasSuffix(",0") == true)
    #expect(speech.count { $0.hasSuffix(",1") } >= 5)
    let noise = lines(try Tool.call("analyze noise.wav --volume --csv -", in: folder).output).dropFirst()
    #expect(noise.count == 30 && !noise.dropFirst(5).contains { $0.hasSuffix(",1") })
  }

  @Test("stdin, raw samples and globs are read, and each file has its table", .shows("analyze"))
  func inputs() throws {
    let folder = try folder()
    try folder.write("in2.wav", Signals.wave("s16", rate: 16_000, channels: 1, Self.steps).file())
    let wanted = try Tool.call("analyze in.wav --volume --csv -", in: folder).output
    #expect(try Tool.shell("cat in.wav | $A analyze - --volume --csv -", in: folder).output == wanted)
    let raw = "tail -c +45 in.wav | $A analyze - --raw s16:16000:1 --volume --csv -"
    #expect(try Tool.shell(raw, in: folder).output == wanted)
    let glob = try Tool.call("analyze in*.wav --volume --csv t.csv --json", in: folder)
    #expect(glob.status == 0 && (glob.json?["jobs"] as? [Any])?.count == 2)
    #expect(try folder.read("t.in.wav.csv") == wanted && folder.read("t.in2.wav.csv") == wanted)
    // A table that exists is only replaced where that is asked for.
    #expect(try Tool.call("analyze in.wav --volume --csv t.in.wav.csv", in: folder).status == 73)
    #expect(try Tool.call("analyze in.wav --volume --csv t.in.wav.csv --overwrite", in: folder).status == 0)
  }

  @Test(
    "a wrong command line or file is one sentence and an exit code",
    arguments: [
      ("in.wav --csv t.csv", 64, "add --volume"), ("in.wav --volum", 64, "did you mean '--volume'?"),
      ("--volume", 64, "IN"),
      ("in.wav --volume --interval 25", 64, "multiple"), ("in.wav --volume --interval 5", 64, "10"),
      ("in.wav --volume --csv - --json", 64, "stdout"), ("in.wav --volume --csv in.wav", 64, "replace the input"),
      ("in.wav --volume --raw s16:48000:1", 64, "stdin"), ("missing.wav --volume", 66, "missing.wav"),
      ("in.csv --volume", 65, "in.csv"),
    ])
  func failures(line: String, status: Int, words: String) throws {
    let folder = try folder()
    try folder.write("in.csv", Array("time_s,volume\n".utf8))
    let ending = try Tool.call("analyze " + line, in: folder)
    #expect(ending.status == status && ending.errors.contains(words), "\(ending.status) \(ending.errors)")
    #expect(ending.errors.split(separator: "\n").count == 1 && ending.output.isEmpty)
  }

  @Test("analyze names failed files, analyzes the others and exits with 1", .shows("analyze: jobs"))
  func someFail() throws {
    let folder = try folder()
    let ending = try Tool.call("analyze in.wav missing.wav --volume --json", in: folder)
    #expect(ending.status == 1 && ending.errors.contains("missing.wav"))
    let jobs = try #require(ending.json?["jobs"] as? [[String: Any]])
    #expect(jobs[0]["summary"] != nil && (jobs[1]["error"] as? [String: Any])?["exit_code"] as? Int == 66)
  }

  @Test("the number of jobs does not change any byte of an analysis", .shows("analyze: jobs"))
  func jobs() throws {
    let folder = try Workspace()
    var names: [String] = []
    // The first takes longest, so that others end before it; the third is none.
    for index in 0..<6 {
      names.append("\(index).wav")
      let samples = Signals.sine(100 + 50 * Double(index), rate: 16_000, seconds: 6 - Double(index), amplitude: 0.5)
      if index != 2 { try folder.write(names[index], Signals.wave("s16", rate: 16_000, channels: 1, samples).file()) }
    }
    let line = "analyze \(names.joined(separator: " ")) --volume --pitch --loudness"
    for options in ["", " --json", " --csv t.csv --overwrite"] {
      let wanted = try Tool.call(line + options + " --jobs 1", in: folder)
      let tables = try names.filter { $0 != "2.wav" && options.contains("csv") }.map {
        try folder.read("t.\($0).pitch.csv")
      }
      #expect(wanted.status == 1 && wanted.failures.count == 2, "\(wanted.errors)")
      for jobs in [2, 5] {
        let ending = try Tool.call(line + options + " --jobs \(jobs)", in: folder)
        #expect(ending.status == 1 && ending.output == wanted.output && ending.errors == wanted.errors)
        for (name, table) in zip(names.filter { $0 != "2.wav" }, tables) {
          #expect(try folder.read("t.\(name).pitch.csv") == table)
        }
      }
    }
  }
}
