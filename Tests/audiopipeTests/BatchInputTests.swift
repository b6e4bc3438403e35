import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("batch: inputs", .timeLimit(.minutes(10)))
struct BatchInputTests {
  private static let table = "results-00001-of-00001.jsonl"

  private func tone(_ path: String, _ frequency: Double, seconds: Double = 0.5, in folder: Workspace) throws {
    let samples = Signals.sine(frequency, rate: 16_000, seconds: seconds, amplitude: 0.25)
    try folder.write(path, Signals.wave("s16", rate: 16_000, channels: 1, samples).file())
  }

  private func rows(in folder: Workspace, _ name: String = "out") throws -> [[String: Any]] {
    let text = String(decoding: try folder.read("\(name)/\(Self.table)"), as: UTF8.self)
    return try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// Two files whose numbers as rows are those of the other's name.
  private func crossed() throws -> Workspace {
    let folder = try Workspace()
    try FileManager.default.createDirectory(atPath: folder["in"], withIntermediateDirectories: true)
    try tone("in/2.wav", 200, in: folder)
    try tone("in/1.wav", 300, in: folder)
    try folder.write("list", Array("in/2.wav\nin/1.wav\n".utf8))
    return folder
  }

  @Test(
    "an output that would replace another row's input is refused", .shows("batch: outputs"),
    arguments: ["in", "./in/", "link", "hard"])
  func crossedInputs(target: String) throws {
    let folder = try crossed()
    try FileManager.default.createSymbolicLink(atPath: folder["link"], withDestinationPath: "in")
    try FileManager.default.createDirectory(atPath: folder["hard"], withIntermediateDirectories: true)
    try FileManager.default.linkItem(atPath: folder["in/1.wav"], toPath: folder["hard/1.wav"])
    let before = try ["in/1.wav", "in/2.wav"].map(folder.read)
    let ending = try Tool.call(
      "batch list --out-dir \(target) --name {index}.{ext} --gain -3 --overwrite", in: folder)
    #expect(
      ending.status == 64 && ending.errors.contains("would replace") && ending.errors.contains("the input of row"),
      "\(ending.errors)")
    #expect(try ["in/1.wav", "in/2.wav"].map(folder.read) == before)
    #expect(!folder.has("in/\(Self.table)"))
  }

  @Test("an input that only another row's output will be is refused, too", .shows("batch: outputs"))
  func futureInput() throws {
    let folder = try crossed()
    try FileManager.default.removeItem(atPath: folder["in/1.wav"])
    let ending = try Tool.call("batch list --out-dir in --name {index}.{ext} --copy", in: folder)
    #expect(ending.status == 64 && ending.errors.contains("row 2 would replace"), "\(ending.errors)")
  }

  @Test("cut segments that another row reads are not thrown away", .shows("batch: outputs"))
  func segments() throws {
    let folder = try Workspace()
    try FileManager.default.createDirectory(atPath: folder["out/a.segments"], withIntermediateDirectories: true)
    try tone("a.wav", 200, in: folder)
    try tone("out/a.segments/0001.wav", 300, in: folder)
    try folder.write("list", Array("a.wav\nout/a.segments/0001.wav\n".utf8))
    let ending = try Tool.call("batch list --out-dir out --segments --name {stem}.{ext} --overwrite", in: folder)
    #expect(ending.status == 64 && ending.errors.contains("the input of row 2"), "\(ending.errors)")
    #expect(folder.has("out/a.segments/0001.wav"))
  }

  @Test("a changed input is processed again with a note", .shows("batch: resume"))
  func changed() throws {
    let folder = try crossed()
    #expect(try Tool.call("batch list --out-dir out --pitch --copy", in: folder).status == 0)
    let untouched = try Tool.call("batch list --out-dir out --pitch --copy", in: folder)
    #expect(untouched.status == 0 && !untouched.errors.contains("changed"))
    let first = try rows(in: folder)[0]["pitch_median_hz"] as? Double
    try tone("in/1.wav", 400, in: folder)
    let ending = try Tool.call("batch list --out-dir out --pitch --copy", in: folder)
    #expect(ending.status == 0 && ending.errors.contains("1 inputs have changed"), "\(ending.errors)")
    let again = try rows(in: folder)
    #expect(again[0]["pitch_median_hz"] as? Double == first)
    #expect(abs(try #require(again[1]["pitch_median_hz"] as? Double) - 400) < 1)
    #expect(try Tool.call("batch list --out-dir out --pitch --copy --merge", in: folder).status == 0)
  }

  @Test("a part that ends behind the file's end has a warning", .shows("batch: parts"))
  func beyond() throws {
    let folder = try Workspace()
    try tone("a.wav", 200, seconds: 1, in: folder)
    let parts = [(0.5, 0.5), (0.5, 0.505), (0.5, 2)]
    let lines = parts.map { #"{"path":"a.wav","offset":\#($0.0),"duration":\#($0.1)}"# + "\n" }.joined()
    try folder.write("m.jsonl", Array(lines.utf8))
    #expect(try Tool.call("batch m.jsonl --out-dir out --volume", in: folder).status == 0)
    let warnings = try rows(in: folder).map { $0["warnings"] as? [String] ?? [] }
    #expect(warnings[0].isEmpty && warnings[1].isEmpty)
    #expect(warnings[2].count == 1 && warnings[2][0].contains("ends 1.5 s behind the end of the file"), "\(warnings)")
    #expect(try rows(in: folder)[2]["duration_s"] as? Double == 0.5)
  }

  @Test("a name that is too long for an output fails only its row", .shows("batch: bad files"))
  func longName() throws {
    let folder = try Workspace()
    let long = String(repeating: "x", count: 247) + ".wav"
    try tone(long, 200, in: folder)
    try tone("a.wav", 300, in: folder)
    try folder.write("list", Array("\(long)\na.wav\n".utf8))
    let ending = try Tool.call("batch list --out-dir out --copy", in: folder)
    #expect(ending.status == 1 && ending.errors.contains("has 251 bytes, and 250 is the most here"), "\(ending.errors)")
    #expect(try rows(in: folder).map { $0["outcome"] as? String } == ["failed", "ok"])
  }

  @Test("two spellings of an accent are two files", .shows("batch: names"))
  func spellings() throws {
    let folder = try Workspace()
    let names = ["\u{E9}.wav", "e\u{301}.wav"]
    for (index, name) in names.enumerated() { try tone(name, 200 + Double(100 * index), in: folder) }
    try folder.write("list", Array(names.map { $0 + "\n" }.joined().utf8))
    let ending = try Tool.call("batch list --out-dir out --copy --pitch", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let pitches = try rows(in: folder).map { $0["pitch_median_hz"] as? Double }
    #expect(pitches.map { $0?.rounded() } == [200, 300])
  }

  @Test(
    "manifests with other separators, letter cases and spaces are read", .shows("batch: manifest"),
    arguments: [
      "Path,Duration\na.wav, 0.5\n", "path;start\na.wav;0\n", "PATH\tgain\na.wav\t -3.0\n",
      "audio_filepath , duration\na.wav, 0.5 \n",
    ])
  func tables(text: String) throws {
    let folder = try Workspace()
    try tone("a.wav", 200, in: folder)
    try folder.write("list", Array(text.utf8))
    let ending = try Tool.call("batch list --out-dir out --volume", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try rows(in: folder).map { $0["path"] as? String } == ["a.wav"])
  }

  @Test(
    "a list that is not a manifest is refused with its kind", .shows("batch: bad lines"),
    arguments: [
      ("file,duration\na.wav,0.5\n", "no column for the path"), ("a.wav\rb.wav\r", "carriage return alone"),
      ("RIFF\r\0\0\0WAVEfmt ", "this is a sound, not a list"),
      ("a\0.\0w\0a\0v\0\n\0", "UTF-16"), ("utt1 a.wav\nutt2 b.wav\n", "table of Kaldi"),
      ("a.wav\nb.wav\n" + String(repeating: "A", count: 1 << 20), "line 3: the line is longer than 1 MiB"),
    ])
  func named(text: String, words: String) throws {
    let folder = try Workspace()
    try tone("a.wav", 200, in: folder)
    try folder.write("list", Array(text.utf8))
    let ending = try Tool.call("batch list --out-dir out --volume", in: folder)
    #expect(ending.status == 65 && ending.errors.contains(words), "\(ending.errors)")
    #expect(!folder.has("out"))
  }
}
