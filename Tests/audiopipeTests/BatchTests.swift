import CommandTestSupport
import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite("batch", .timeLimit(.minutes(10)))
struct BatchTests {
  /// Files of 1 to `count` tenths of a second, a damaged one and a missing one, and their list.
  private func files(_ count: Int, in folder: Workspace, damaged: Bool = true) throws {
    var list = ""
    for index in 1...count {
      let path = "in/\(index % 3)/s\(index).wav"
      try FileManager.default.createDirectory(
        atPath: folder["in/\(index % 3)"], withIntermediateDirectories: true)
      let samples = Signals.sine(200 + Double(10 * index), rate: 16_000, seconds: Double(index) / 10, amplitude: 0.25)
      try folder.write(path, Signals.wave("s16", rate: 16_000, channels: 1, samples).file())
      list += path + "\n"
    }
    if damaged {
      try folder.write("in/damaged.wav", Array("RIFF????".utf8))
      list += "in/damaged.wav\nin/missing.wav\n"
    }
    try folder.write("list", Array(list.utf8))
  }

  /// Results of a run by their names, without the journals, which know the order of work.
  private func results(_ name: String, in folder: Workspace) throws -> [String: [UInt8]] {
    var results: [String: [UInt8]] = [:]
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder[name])
    for path in names where !path.hasSuffix(".journal") && !path.hasPrefix("lengths-") {
      results[path] = (try? folder.read("\(name)/\(path)")) ?? []
    }
    return results
  }

  private func rows(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test("a row has the measurements of a sine, and a copy those behind the gain", .shows("batch: row"))
  func measurements() throws {
    let folder = try Workspace()
    let samples = Signals.sine(220, rate: 16_000, seconds: 2, amplitude: 0.25)
    try folder.write("a.wav", Signals.wave("s16", rate: 16_000, channels: 1, samples).file())
    try folder.write("list", Array("a.wav\n".utf8))
    // The RMS of a sine is its amplitude by the square root of 2.
    for (options, gain) in [("", 0.0), (" --gain -6 --pitch --loudness", -6.0)] {
      let ending = try Tool.call("batch list --out-dir out\(Int(gain))\(options)", in: folder)
      #expect(ending.status == 0, "\(ending.errors)")
      let table = try folder.read("out\(Int(gain))/results-00001-of-00001.jsonl")
      let row = try rows(String(decoding: table, as: UTF8.self))[0]
      func number(_ key: String) throws -> Double { try #require(row[key] as? Double, "\(key)") }
      #expect(try number("duration_s") == 2)
      #expect(abs(try number("rms_dbfs") - (20 * log10(0.25 / 2.0.squareRoot()) + gain)) < 0.02)
      #expect(abs(try number("true_peak_dbtp") - (20 * log10(0.25) + gain)) < 0.1)
      #expect(abs(try number("pitch_median_hz") - 220) < 0.5)
      #expect(abs(try number("pitch_low_hz") - 220) < 1)
      #expect(row["outcome"] as? String == "ok")
      #expect(row["error"] is NSNull)
      #expect(row["output"] as? String == (gain == 0 ? nil : "a.wav"))
    }
  }

  @Test(
    "three shards are, merged, the table of one; bad files are rows", .shows("batch: merge"), .shows("batch: bad files")
  )
  func shards() throws {
    let folder = try Workspace()
    try files(12, in: folder)
    let options = "--gain -3 --loudness --tables"
    #expect(try Tool.call("batch list --out-dir one \(options)", in: folder).status == 1)
    for shard in 1...3 {
      let ending = try Tool.call("batch list --out-dir three \(options) --shard \(shard)/3 --jobs 1", in: folder)
      #expect([0, 1].contains(ending.status), "\(ending.errors)")
    }
    let merged = try Tool.call("batch list --out-dir three --merge", in: folder)
    let table = try folder.read("one/results-00001-of-00001.jsonl")
    #expect(merged.status == 1)
    #expect(merged.output == table)
    let rows = try rows(merged.text)
    #expect(rows.map { $0["index"] as? Int } == Array(1...14))
    #expect(rows.map { $0["outcome"] as? String } == Array(repeating: "ok", count: 12) + ["failed", "failed"])
    #expect((rows[13]["error"] as? String)?.hasPrefix("in/missing.wav: ") == true)
    func outputs(_ name: String) throws -> [String: [UInt8]] {
      try results(name, in: folder).filter { !$0.key.hasPrefix("results-") }
    }
    #expect(try outputs("one") == outputs("three"))
    #expect(try outputs("one").keys.contains("2/s5.loudness.csv"))
    // What has failed is done again on request.
    try folder.write("in/missing.wav", folder.read("in/1/s1.wav"))
    #expect(try Tool.call("batch list --out-dir one \(options)", in: folder).failures.count == 1)
    #expect(try Tool.call("batch list --out-dir one \(options) --retry-failed", in: folder).failures.count == 2)
    #expect(folder.has("one/missing.wav"))
  }

  @Test("missing shards are named and exit with 1", .shows("batch: merge"))
  func missing() throws {
    let folder = try Workspace()
    try files(4, in: folder, damaged: false)
    #expect(try Tool.call("batch list --out-dir out --volume --shard 2/3", in: folder).status == 0)
    let merged = try Tool.call("batch list --out-dir out --merge --results csv", in: folder)
    #expect(merged.status == 1)
    #expect(merged.errors.contains("shards that have not begun: 1, 3 of 3"))
    let rows = merged.text.split(separator: "\n").count - 1
    #expect(merged.failures.count { $0.contains("has no result") } == 4 - rows)
    #expect(try Tool.call("batch list --out-dir none --merge", in: folder).status == 66)
  }

  @Test("a batch that is killed and resumed gives the same bytes", .shows("batch: resume"))
  func kills() throws {
    let folder = try Workspace()
    try files(16, in: folder)
    let options = "--gain -3 --volume --tables --jobs 2"
    let whole = try Tool.call("batch list --out-dir whole \(options)", in: folder)
    #expect(whole.status == 1)
    var generator = SeededGenerator(seed: 5)
    let journal = "killed/results-00001-of-00001.journal"
    for round in 0..<5 {
      let run = try Tool.launch("batch list --out-dir killed \(options)", in: folder)
      // At its beginning, or after some more bytes of results.
      let size = folder.size(journal) + Int(generator.next() % 1_500)
      _ = run.poll { folder.size(journal) >= size }
      run.signal(SIGKILL)
      run.process.waitForEnd()
      // As if the last line was torn.
      if round == 3, folder.size(journal) > 600 {
        truncate(folder[journal], off_t(folder.size(journal) - 7))
      }
    }
    let last = try Tool.call("batch list --out-dir killed \(options)", in: folder)
    #expect(last.status == 1, "\(last.errors)")
    #expect(try results("killed", in: folder) == results("whole", in: folder))
  }

  @Test("a full disk ends the run with 74; with space it continues", .shows("batch: full disk"))
  func fullDisk() throws {
    let folder = try Workspace()
    try files(10, in: folder, damaged: false)
    let line = "batch list --out-dir out --copy --volume"
    // The longest file has 32,044 bytes, and a limit for files fails as a full disk does.
    let full = try Tool.shell("ulimit -f 20; $A \(line)", in: folder)
    #expect(full.status == 74, "\(full.errors)")
    #expect(!folder.has("out/results-00001-of-00001.jsonl"))
    #expect(try Tool.call(line, in: folder).status == 0)
    #expect(try Tool.call("batch list --out-dir whole --copy --volume", in: folder).status == 0)
    #expect(try results("out", in: folder) == results("whole", in: folder))
  }

  @Test("files from before are not replaced", .shows("batch: outputs"))
  func foreignFiles() throws {
    let folder = try Workspace()
    try files(3, in: folder, damaged: false)
    try FileManager.default.createDirectory(atPath: folder["out/1"], withIntermediateDirectories: true)
    try folder.write("out/1/s1.wav", [1, 2, 3])
    let ending = try Tool.call("batch list --out-dir out --copy", in: folder)
    #expect(ending.status == 73)
    #expect(try folder.read("out/1/s1.wav") == [1, 2, 3])
    #expect(try results("out", in: folder).keys.sorted() == ["1", "1/s1.wav"])
    #expect(try Tool.call("batch list --out-dir out --copy --overwrite", in: folder).status == 0)
    // The samples, behind the header.
    #expect(try folder.read("out/1/s1.wav").suffix(3_200).elementsEqual(folder.read("in/1/s1.wav").suffix(3_200)))
    // Inputs are never replaced.
    let inputs = try folder.read("in/1/s1.wav")
    #expect(try Tool.call("batch list --out-dir in --gain -3 --overwrite", in: folder).status == 64)
    #expect(try folder.read("in/1/s1.wav") == inputs)
  }

  @Test(
    "a mistake is found before anything is written", .shows("batch: bad lines"), .shows("batch: names"),
    arguments: [
      ("{\"path\":\"a.wav\"}\n{\"path\":3}\n", "--copy", 65, "line 2"),
      ("a/x.wav\nb/x.wav\n", "--copy --name {stem}.{ext}", 64, "rows 1"),
      ("a.wav\n", "--copy --name ../{stem}.{ext}", 64, "leave the folder"),
      ("a.wav\n", "--shard 4/3", 64, "count from 1"),
      ("a.wav\n", "--gain -3 --merge --shard 1/2", 64, "contradict"), ("a.wav\n", "--interval 200", 64, "--tables"),
    ])
  func mistakes(manifest: String, options: String, status: Int32, part: String) throws {
    let folder = try Workspace()
    try folder.write("list", Array(manifest.utf8))
    let ending = try Tool.call("batch list --out-dir out \(options)", in: folder)
    #expect(ending.status == status)
    #expect(ending.errors.contains(part), "\(ending.errors)")
    #expect(!folder.has("out"))
  }

  @Test("a row with an offset is that part of the file, sample by sample", .shows("batch: parts"))
  func parts() throws {
    let folder = try Workspace()
    let wave = Signals.wave("s24", rate: 16_000, channels: 2, Signals.hard(rate: 16_000, channels: 2))
    try folder.write("a.wav", wave.file())
    try folder.write(
      "m", Array(#"{"audio_filepath":"a.wav","offset":0.05,"duration":0.1,"output":"x.wav"}"#.utf8))
    let ending = try Tool.call("batch m --out-dir out --copy --volume", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let copy = try folder.read("out/x.wav")
    let part = wave.data[(800 * 6)..<(2_400 * 6)]
    #expect(copy.suffix(part.count).elementsEqual(part))
    let row = try rows(String(decoding: folder.read("out/results-00001-of-00001.jsonl"), as: UTF8.self))[0]
    #expect(row["duration_s"] as? Double == 0.1)
    #expect(row["start_s"] as? Double == 0.05)
  }

  @Test("the shard comes from a Slurm array, and --dry-run writes nothing", .shows("batch: shard"))
  func slurm() throws {
    let folder = try Workspace()
    try files(4, in: folder, damaged: false)
    let run = try Tool.launch(
      ["batch", "list", "--out-dir", "out", "--copy", "--dry-run", "--json"], in: folder,
      environment: ["SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "6", "SLURM_ARRAY_TASK_COUNT": "2"])
    let ending = try Tool.finish(run, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.errors.contains("shard 2/2 by SLURM_ARRAY_TASK_ID"))
    // 0.4 s is in the first shard; 0.3 and 0.2 s are in the second, and 0.1 s is again in the first.
    #expect(ending.json?["rows"] as? Int == 2)
    #expect(ending.json?["duration_s"] as? Double == 0.5)
    #expect(ending.json?["outputs"] as? [String] == ["0/s3.wav", "2/s2.wav"])
    #expect(!folder.has("out"))
  }

  @Test("segments of speech are cut sample by sample", .shows("batch: segments"))
  func segments() throws {
    let folder = try Workspace()
    let voice = VoiceLikeSignal.make(seconds: 1.5).map(Double.init)
    let silence = [Double](repeating: 0, count: 48_000)
    let wave = Signals.wave("s16", rate: 48_000, channels: 1, silence + voice + silence + voice + silence)
    try folder.write("a.wav", wave.file())
    try folder.write("list", Array("a.wav\n".utf8))
    let ending = try Tool.call("batch list --out-dir out --segments --volume", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let segments = try rows(String(decoding: folder.read("out/a.segments.jsonl"), as: UTF8.self))
    #expect(!segments.isEmpty)
    for segment in segments {
      let start = try #require(segment["start_s"] as? Double)
      let end = try #require(segment["end_s"] as? Double)
      let bytes = Int((start * 48_000).rounded()) * 2..<Int((end * 48_000).rounded()) * 2
      let cut = try folder.read("out/" + (#require(segment["path"] as? String)))
      #expect(cut.suffix(bytes.count).elementsEqual(wave.data[bytes]))
      #expect(cut.count - bytes.count < 100)
    }
  }

  @Test("a pipe among the files is a failed row and does not block", .shows("batch: bad files"))
  func pipe() throws {
    let folder = try Workspace()
    try files(1, in: folder, damaged: false)
    #expect(mkfifo(folder["pipe.wav"], 0o600) == 0)
    try folder.write("list", Array("in/1/s1.wav\npipe.wav\n".utf8))
    let plan = try Tool.call("batch list --out-dir out --dry-run", in: folder)
    #expect(plan.status == 0)
    #expect(plan.errors.contains("1 of 2 files are not there, such as pipe.wav"))
    let ending = try Tool.call("batch list --out-dir out", in: folder)
    #expect(ending.status == 1)
    #expect(ending.errors.contains("pipe.wav: this is a pipe or a device"))
  }

  @Test("an output that is gone is made again, with the same bytes", .shows("batch: resume"))
  func lostOutput() throws {
    let folder = try Workspace()
    try files(3, in: folder, damaged: false)
    #expect(try Tool.call("batch list --out-dir out --gain -3", in: folder).status == 0)
    let before = try results("out", in: folder)
    try FileManager.default.removeItem(atPath: folder["out/1/s1.wav"])
    let ending = try Tool.call("batch list --out-dir out --gain -3", in: folder)
    #expect(ending.status == 0)
    #expect(ending.errors.contains("outputs of 1 rows are gone"))
    #expect(try results("out", in: folder) == before)
  }

  @Test("a folder of results takes one number of shards", .shows("batch: shard"))
  func otherShards() throws {
    let folder = try Workspace()
    try files(3, in: folder, damaged: false)
    #expect(try Tool.call("batch list --out-dir out --shard 1/2", in: folder).status == 0)
    let ending = try Tool.call("batch list --out-dir out --shard 1/3", in: folder)
    #expect(ending.status == 64)
    #expect(ending.errors.contains("results of 2 shards, not 3"))
  }

  @Test(
    "names that cannot be outputs are refused before anything is written", .shows("batch: names"),
    arguments: [
      (["results-00001-of-00001.journal"], "the command's own files"),
      (["lengths-a.wav"], "the command's own files"),
      (["a.wav.part"], "the command's own files"),
      (["a.wav", "a.wav/b.wav"], "is a folder for row 2"),
      (["a.xyz"], "is not a kind of sound"),
    ])
  func names(outputs: [String], part: String) throws {
    let folder = try Workspace()
    try files(1, in: folder, damaged: false)
    let rows = outputs.map { "{\"path\":\"in/1/s1.wav\",\"output\":\"\($0)\"}\n" }.joined()
    try folder.write("list", Array(rows.utf8))
    let ending = try Tool.call("batch list --out-dir out --copy", in: folder)
    #expect(ending.status == 64)
    #expect(ending.errors.contains(part), "\(ending.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder["out"]))
  }

  @Test("a JSON array is refused with the way to make lines of it", .shows("batch: manifest"))
  func jsonArray() throws {
    let folder = try Workspace()
    try folder.write("list", Array("[{\"path\":\"a.wav\"}]\n".utf8))
    let ending = try Tool.call("batch list --out-dir out", in: folder)
    #expect(ending.status == 65)
    #expect(ending.errors.contains("one JSON array"))
  }
}
