import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("process and its results", .timeLimit(.minutes(10)))
struct ResultTests {
  private static let voice = Signals.wave(
    "s16", rate: 16_000, channels: 1,
    Signals.sine(440, rate: 16_000, seconds: 0.4, amplitude: 1) + [Double](repeating: 0, count: 3_200))

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    for name in ["a", "b"] { try folder.write(name + ".wav", Self.voice.file()) }
    return folder
  }

  @Test("The report is on stdout, in a file, or in both", .shows("JSON", "report"))
  func report() throws {
    let folder = try folder()
    let ending = try Tool.call("process a.wav -o x.wav --json --report r.json", in: folder)
    #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
    let object = try #require(ending.json)
    for report in [object, try folder.json("r.json")] {
      #expect(report["schema"] as? Int == 1)
      let input = try #require(report["input"] as? [String: Any])
      #expect(input["path"] as? String == "a.wav" && input["frames"] as? Int == Self.voice.frames)
      #expect(input["sample_rate"] as? Int == 16_000 && input["channels"] as? Int == 1)
      #expect(report["latency_ms"] is Double && report["pitch"] is [Any] && report["events"] is [Any])
      let cost = try #require((report["cost"] as? [String: Any])?["tick_us"] as? [String: Double])
      #expect(cost["p50"]! > 0 && cost["p50"]! <= cost["p99"]! && cost["p99"]! <= cost["max"]!)
      let volume = try #require(report["volume"] as? [[String: Double]])
      // A full sine is 3.01 dB below a full square; 60 dB are 255 steps.
      #expect(volume.count == 3 && abs(volume[0]["rms_dbfs"]! + 3.01) < 0.02 && volume[0]["volume"] == 242)
      #expect(volume.map { $0["time_s"] } == [0, 0.2, 0.4] && volume[2]["volume"] == 0)
    }
  }

  @Test("Several inputs have a report each, with or without outputs", arguments: ["", " --out-dir out"])
  func reports(option: String) throws {
    let folder = try folder()
    let ending = try Tool.call("process a.wav b.wav --report r.json --json" + option, in: folder)
    #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
    #expect((ending.json?["jobs"] as? [Any])?.count == 2)
    for name in ["a.wav", "b.wav"] {
      let report = try folder.json("r.\(name).json")
      #expect((report["input"] as? [String: Any])?["path"] as? String == name)
      #expect(folder.has("out/" + name) == !option.isEmpty)
    }
  }

  @Test("The table of the volume has a row for each interval", .shows("volume CSV"))
  func table() throws {
    let folder = try folder()
    #expect(try Tool.call("process a.wav --csv t.csv", in: folder).status == 0)
    let lines = String(decoding: try folder.read("t.volume.csv"), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 4 && lines[0] == "time_s,volume,rms_dbfs,peak_dbfs,vad")
    #expect(lines[1].hasPrefix("0.0,242,-3.01,") && lines[1].hasSuffix(",1") && lines[3].hasSuffix(",0"))
    #expect(lines.allSatisfy { $0.split(separator: ",").count == 5 })
  }

  @Test("the active speaker is an event of the report and a JSON line", .shows("report"))
  func activeSpeaker() throws {
    let folder = try Workspace()
    func voice(_ amplitudes: [Double]) -> [UInt8] {
      let samples = amplitudes.flatMap { Signals.sine(440, rate: 16_000, seconds: 0.4, amplitude: $0) }
      return Signals.wave("s16", rate: 16_000, channels: 1, samples).file()
    }
    try folder.write("a.wav", voice([0.5, 0.1]))
    try folder.write("b.wav", voice([0.1, 0.5]))
    let report = try #require(try Tool.call("process a.wav --user b.wav --json", in: folder).json)
    let events = try #require(report["events"] as? [[String: Any]]).filter { $0["name"] as? String == "activeSpeaker" }
    #expect(events.map { $0["uid"] as? Int } == [1, 2] && events.map { $0["time_s"] as? Double } == [0.2, 0.6])
    let text = try Tool.call("process a.wav --user b.wav --json-lines", in: folder).text
    let lines = try text.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let happened = lines.filter { $0["event"] as? String == "activeSpeaker" }
    #expect(happened.map { $0["uid"] as? Int } == [1, 2] && happened.map { $0["at_s"] as? Double } == [0.2, 0.6])
    // One voice alone has no rival.
    let alone = try #require(try Tool.call("process a.wav --json", in: folder).json)
    #expect((alone["events"] as? [Any])?.isEmpty == true)
  }

  @Test("Events are lines on stdout, in the order in which they happen", .shows("JSON lines"))
  func events() throws {
    let folder = try folder()
    let ending = try Tool.call("process a.wav missing.wav b.wav --out-dir out --json-lines --jobs 1", in: folder)
    #expect(ending.status == 1)
    let events = try ending.text.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let names = events.compactMap { $0["event"] as? String }.filter { $0 != "progress" }
    #expect(names == ["started", "finished", "failed", "started", "finished"])
    let times = events.compactMap { $0["time_s"] as? Double }
    #expect(times.count == events.count && times == times.sorted())
    #expect(events.contains { $0["event"] as? String == "progress" && $0["total_s"] as? Double == 0.6 })
    let report = try #require(events.last?["report"] as? [String: Any])
    #expect(report["schema"] as? Int == 1 && (report["output"] as? [String: Any])?["path"] as? String == "out/b.wav")
  }

  @Test(
    "a dry run shows the plan and writes nothing", .shows("dry run"),
    arguments: ["", " --json", " --json-lines"])
  func dryRun(option: String) throws {
    let folder = try folder()
    let ending = try Tool.call(
      "process a.wav -o x.wav --report r.json --gain 3 --observe mixed --observe-cmd >ran --dry-run" + option,
      in: folder)
    #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
    #expect(!folder.has("x.wav") && !folder.has("x.wav.part") && !folder.has("r.json") && !folder.has("ran"))
    if option.isEmpty {
      for words in ["record limiter 1", "16000 Hz mono", "latency:", "x.wav", "r.json", "nothing was written"] {
        #expect(ending.text.contains(words), "\(words)")
      }
    } else {
      let graph = try #require(ending.json?["graph"] as? [String: Any])
      #expect((graph["edges"] as? [[String: Any]])?.first?["sample_rate"] as? Int == 16_000)
      #expect((ending.json?["output"] as? [String: Any])?["path"] as? String == "x.wav")
    }
  }

  @Test("progress is drawn as a bar only if it is requested", .shows("progress"))
  func progress() throws {
    let folder = try folder()
    let bar = try Tool.call("process a.wav b.wav --out-dir out --progress bar", in: folder)
    #expect(bar.errors.contains("[########################] 100 %") && bar.errors.hasSuffix("\n"), "\(bar.errors)")
    let plain = try Tool.call("process a.wav b.wav --out-dir out --overwrite", in: folder)
    #expect(plain.errors.split(separator: "\n").count == 2, "\(plain.errors)")
    let quiet = try Tool.call("process a.wav b.wav --out-dir out --overwrite -q", in: folder)
    #expect(quiet.errors.isEmpty && quiet.output.isEmpty && quiet.status == 0)
  }

  @Test(
    "A wrong command line is answered with one sentence and 64", .shows("streams"),
    arguments: [
      ("a.wav --gian 3", "did you mean '--gain'?"), ("a.wav --gain loud", "number"), ("", "name an input file"),
      ("a.wav b.wav -o x.wav", "--out-dir"), ("a.wav --rate 44100 -o x.opus", "--rate"), ("a.wav -o x.xyz", "--format"),
      ("a.wav --pan 0.5 --channels 1", "--channels 2"),
      ("a.wav --observe mixd --observe-cmd cat", "did you mean 'mixed'?"),
    ])
  func usage(line: String, words: String) throws {
    let folder = try folder()
    try folder.write("a.wav", Wave(rate: 44_100, [1, 2, 3]).file())
    let ending = try Tool.call("process " + line, in: folder)
    #expect(ending.status == 64 && ending.errors.contains(words), "\(ending.errors)")
    #expect(ending.errors.split(separator: "\n").count == 1 && ending.output.isEmpty)
  }

  @Test("the graph has the output and the programs of its arguments", .shows("graph"))
  func wholeGraph() throws {
    let folder = try Workspace()
    try folder.write("in.wav", Wave(rate: 8_000, [Int16](repeating: 1, count: 800)).file())
    func nodes(_ arguments: String) throws -> String { try Tool.call("graph in.wav \(arguments)", in: folder).text }
    let bare = try nodes("")
    #expect(!bare.contains("FrameSinkNode") && !bare.contains("ReadWriteObserverNode"))
    #expect(try nodes("-o out.wav").contains("FrameSinkNode"))
    let filtered = try nodes("-o out.wav --observe mixed --filter-cmd cat")
    #expect(filtered.contains("FrameSinkNode") && filtered.contains("ReadWriteObserverNode"))
    #expect(try nodes("--observe record --observe-cmd cat").contains("AsynchronousObserverNode"))
    #expect(!folder.has("out.wav") && !folder.has("out.wav.part"))
  }

  @Test("each form of the graph shows the loudness target", .shows("graph"))
  func loudnessTarget() throws {
    let folder = try Workspace()
    try folder.write("in.wav", Wave(rate: 8_000, [Int16](repeating: 1, count: 800)).file())
    let words = "graph in.wav -o out.wav --loudness-target -16 --true-peak -2"
    for (format, sign) in [("text", "level: "), ("dot", "level [label=\""), ("mermaid", "level[\"")] {
      let text = try Tool.call("\(words) --format \(format)", in: folder).text
      #expect(text.contains("\(sign)-16.0 LUFS, at most -2.0 dBTP"), "\(text)")
    }
    let json = try #require(try Tool.call("\(words) --json", in: folder).json)
    #expect(json["loudness_target_lufs"] as? Double == -16 && json["true_peak_dbtp"] as? Double == -2)
    #expect(try !Tool.call("graph in.wav -o out.wav", in: folder).text.contains("level: "))
  }
}
