import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("process with bad input", .timeLimit(.minutes(10)))
struct BadInputTests {
  private static let good = Wave(rate: 8_000, (0..<4_001).map { Int16($0 % 200 - 100) })

  /// What is wrong with a file, and its bytes.
  private static let refused: [(String, [UInt8])] = {
    var zeroRate = good
    zeroRate.rate = 0
    var noChannels = good.file()
    noChannels.replaceSubrange(22..<24, with: [0, 0])
    var manyChannels = good.file()
    manyChannels.replaceSubrange(22..<24, with: [0xE8, 3])
    var noFmt = Array("RIFF".utf8) + Wave.bytes(UInt32(4 + 8 + 100)) + Array("WAVEdata".utf8)
    noFmt += Wave.bytes(UInt32(100)) + [UInt8](repeating: 1, count: 100)
    var shortFmt = good.file()
    shortFmt.replaceSubrange(16..<20, with: [4, 0, 0, 0])
    var crazyBits = good.file()
    crazyBits.replaceSubrange(34..<36, with: [17, 0])
    return [
      ("no fmt", noFmt), ("no data", good.file(withData: false)), ("an fmt of 4 bytes", shortFmt),
      ("17 bits", crazyBits), ("no channel", noChannels), ("1000 channels", manyChannels),
      ("a rate of 0", zeroRate.file()), ("ADPCM of another kind", good.file(tag: 0x14)),
      ("blocks of 2 bytes", good.file(tag: 2)),
      ("nothing", []), ("half a header", Array(good.file().prefix(20))), ("text", Array("hello, world\n".utf8)),
      ("MPEG-4", [0, 0, 0, 28] + Array("ftypM4A ".utf8) + [UInt8](repeating: 0, count: 200)),
    ]
  }()

  @Test(
    "an unreadable input is refused with 65 and leaves no output", .shows("exit codes"),
    arguments: refused.map(\.0))
  func refusal(name: String) throws {
    let folder = try Workspace()
    try folder.write("in.wav", Self.refused.first { $0.0 == name }!.1)
    for line in ["$A process in.wav -o out.wav", "cat in.wav | $A process - -o out.wav"] {
      let ending = try Tool.shell(line + " --report r.json", in: folder)
      #expect(ending.status == 65, "\(ending.errors)")
      #expect(ending.failures.count == 1 && ending.errors.split(separator: "\n").count == 1)
      #expect(ending.output.isEmpty && !folder.has("out.wav") && !folder.has("out.wav.part") && !folder.has("r.json"))
    }
  }

  @Test("A header may have any of its three lengths", arguments: [16, 18, 40])
  func headers(fmtSize: Int) throws {
    let folder = try Workspace()
    for format in ["s16", "s24", "f32"] {
      let input = Signals.wave(format, rate: 16_000, channels: 2, Signals.hard(rate: 16_000, channels: 2))
      try folder.write("in.wav", input.file(fmtSize: fmtSize))
      let ending = try Tool.run("process in.wav -o out.wav --overwrite", in: folder)
      #expect(ending.status == 0 && ending.warnings.isEmpty, "\(ending.errors)")
      #expect(try #require(Wave(try folder.read("out.wav"))).data == input.data)
    }
  }

  @Test(
    "an undecodable file exits with 65 and leaves no output", .shows("lying headers"),
    arguments: [("flac", 42), ("flac", 600), ("ogg", 4_000), ("mp3", 200), ("aiff", 54), ("caf", 130)])
  func nothingToDecode(kind: String, byteCount: Int) throws {
    let folder = try Workspace()
    try folder.write("good.wav", Self.good.file())
    _ = try Tool.shell("ffmpeg -v error -i good.wav -ar 48000 whole.\(kind)", in: folder)
    _ = try Tool.shell("head -c \(byteCount) whole.\(kind) > in.\(kind)", in: folder)
    for line in ["process in.\(kind) -o out.wav", "analyze in.\(kind) --volume"] {
      let ending = try Tool.run(line, in: folder)
      #expect(ending.status == 65 && ending.failures.count == 1, "\(line): \(ending.status) \(ending.errors)")
    }
    #expect(!folder.has("out.wav") && !folder.has("out.wav.part"))
  }

  @Test(
    "a wrong length in a header has one warning at most", .shows("lying headers"),
    arguments: [("0", 0), ("0xFFFFFFFF", 0), ("too large", 1), ("cut short", 1)])
  func lies(kind: String, warnings: Int) throws {
    let folder = try Workspace()
    let file: [UInt8] =
      switch kind {
      case "0": Self.good.file(dataSize: 0)
      case "0xFFFFFFFF": Self.good.file(dataSize: 0xFFFF_FFFF)
      case "too large": Self.good.file(dataSize: 2_000_000_000)
      default: Array(Self.good.file().dropLast(1_001))
      }
    // Half a sample at the end is none.
    let expected = kind == "cut short" ? Array(Self.good.data.dropLast(1_002)) : Self.good.data
    try folder.write("in.wav", file)
    for line in ["$A process in.wav -o out.wav", "cat in.wav | $A process - -o out.wav"] {
      let ending = try Tool.shell(line + " --overwrite", in: folder)
      #expect(ending.status == 0 && ending.failures.isEmpty, "\(ending.errors)")
      #expect((warnings...max(1, warnings)).contains(ending.warnings.count), "\(ending.errors)")
      #expect(try #require(Wave(try folder.read("out.wav"))).data == expected)
    }
  }

  @Test("an incomplete raw sample at the end has a warning", arguments: [1_003, 1_001, 1_000, 2])
  func rawRemainder(count: Int) throws {
    let folder = try Workspace()
    try folder.write("in.raw", Array(Self.good.data.prefix(count)))
    for line in ["cat in.raw | $A process - ", "$A process - < in.raw "] {
      let ending = try Tool.shell(line + "--raw s16:8000:2 -o out.wav --overwrite", in: folder)
      let words = count % 4 == 1 ? "1 byte at the end is no" : "\(count % 4) bytes at the end are no"
      #expect(ending.status == 0 && ending.warnings.count == (count % 4 == 0 ? 0 : 1), "\(ending.errors)")
      #expect(count % 4 == 0 || ending.errors.contains(words), "\(ending.errors)")
      #expect(try #require(Wave(try folder.read("out.wav"))).data == Array(Self.good.data.prefix(count / 4 * 4)))
    }
  }

  @Test("NaN and infinities become 0 and are counted", .shows("NaN, infinity"))
  func notFinite() throws {
    let folder = try Workspace()
    let values: [Float] = [0.5, .nan, -.infinity, 0.25, .infinity, -0.5, .signalingNaN]
    let input = Wave(format: "f32", rate: 48_000, channels: 1, data: values.flatMap { Wave.bytes($0.bitPattern) })
    try folder.write("in.wav", input.file())
    let ending = try Tool.run("process in.wav -o out.wav", in: folder)
    #expect(ending.status == 0 && ending.warnings.count == 1 && ending.errors.contains("4 samples"), "\(ending.errors)")
    let clean = values.flatMap { Wave.bytes(($0.isFinite ? $0 : 0).bitPattern) }
    #expect(try #require(Wave(try folder.read("out.wav"))).data == clean)
  }

  @Test(
    "a missing file, a folder and an unmatched glob have exit code 66", .shows("exit codes"),
    arguments: [
      ("missing.wav", 66, "there is no such file"), ("folder", 66, "this is a directory"),
      ("good.wav/x.wav", 66, "there is no such file"), ("*.flac", 66, "no file matches"), ("@missing", 66, "list"),
    ])
  func missing(name: String, status: Int32, words: String) throws {
    let folder = try Workspace()
    try folder.write("good.wav", Self.good.file())
    try FileManager.default.createDirectory(atPath: folder["folder"], withIntermediateDirectories: false)
    let ending = try Tool.run("process \(name) -o out.wav", in: folder)
    #expect(ending.status == status && ending.errors.contains(words), "\(ending.errors)")
    #expect(ending.failures.count == 1 && !folder.has("out.wav"))
  }

  /// Root reads everything: the test then needs another user, who can reach the executable.
  private static let other: String? = {
    if geteuid() != 0 { return "" }
    let other = "setpriv --reuid=65534 --regid=65534 --clear-groups"
    guard let folder = try? Workspace() else { return nil }
    return (try? Tool.shell("\(other) $A --version", in: folder))?.status == 0 ? other : nil
  }()

  @Test("An input that may not be read is refused with 66", .enabled(if: other != nil, "there is no other user to be"))
  func permission() throws {
    let folder = try Workspace()
    try folder.write("in.wav", Self.good.file())
    let ending = try Tool.shell(
      "chmod 0 in.wav; chmod 777 .; \(Self.other ?? "") $A process in.wav -o out.wav", in: folder)
    #expect(ending.status == 66 && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains("you have no permission to read this file") && !folder.has("out.wav"))
  }

  @Test("An input that fails does not stop the others: 1", .shows("exit codes"))
  func oneOfSeveral() throws {
    let folder = try Workspace()
    try folder.write("a.wav", Self.good.file())
    try folder.write("b.wav", [1, 2, 3])
    try folder.write("c.wav", Self.good.file())
    let ending = try Tool.run("process a.wav b.wav c.wav d.wav --out-dir out --json", in: folder)
    #expect(ending.status == 1 && ending.errors.contains("2 of 4 inputs failed"), "\(ending.errors)")
    #expect(folder.has("out/a.wav") && folder.has("out/c.wav") && !folder.has("out/b.wav"))
    let jobs = try #require(ending.json?["jobs"] as? [[String: Any]])
    #expect(jobs.map { ($0["error"] as? [String: Any])?["exit_code"] as? Int } == [nil, 65, nil, 66])
    let nameless = try Tool.run("process a.wav nothing --out-dir other", in: folder)
    #expect(nameless.status == 1 && nameless.errors.contains("there is no such file"), "\(nameless.errors)")
    #expect(folder.has("other/a.wav"))
  }

  @Test(
    "a dry run reports the same failed inputs as a run", .shows("dry run"),
    arguments: ["", " --jobs 1"])
  func dryRunOfSeveral(jobs: String) throws {
    let folder = try Workspace()
    for name in ["a.wav", "c.wav"] { try folder.write(name, Self.good.file()) }
    try folder.write("b.wav", [1, 2, 3])
    let line = "process a.wav b.wav c.wav d.wav --out-dir out" + jobs
    func sentences(_ ending: Tool.Ending) -> [Substring] { ending.failures.sorted() }
    let plan = try Tool.run(line + " --dry-run", in: folder)
    let objects = try Tool.run(line + " --dry-run --json", in: folder)
    let lines = try Tool.run(line + " --dry-run --json-lines", in: folder)
    #expect(!folder.has("out"))
    let run = try Tool.run(line + " --json", in: folder)
    #expect(run.status == 1 && sentences(run).count == 3, "\(run.errors)")
    for ending in [plan, objects, lines] {
      #expect(ending.status == run.status && sentences(ending) == sentences(run), "\(ending.errors)")
    }
    #expect(["a", "b", "c", "d"].filter { plan.text.contains("output: out/\($0).wav") } == ["a", "c"], "\(plan.text)")
    let whole = try #require(objects.json?["jobs"] as? [[String: Any]])
    let one = try lines.text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    for jobs in [whole, one] {
      #expect(jobs.map { ($0["error"] as? [String: Any])?["exit_code"] as? Int } == [nil, 65, nil, 66])
      #expect(
        jobs.map { ($0["input"] as? [String: Any])?["path"] as? String } == ["a.wav", "b.wav", "c.wav", "d.wav"])
      #expect(jobs.map { $0["graph"] != nil } == [true, false, true, false])
    }
  }

  @Test("one unwritable kind among several inputs fails alone", .shows("process: inputs"))
  func unwritableKind() throws {
    let folder = try Workspace()
    try folder.write("f.txt", Self.good.file())
    try folder.write("g.wav", Self.good.file())
    let ending = try Tool.run("process f.txt g.wav --out-dir out --report r.json --json", in: folder)
    #expect(ending.status == 1 && ending.errors.contains("1 of 2 inputs failed"), "\(ending.errors)")
    #expect(ending.errors.contains("cannot write a file of the kind of 'f.txt'; use --format"), "\(ending.errors)")
    let jobs = try #require(ending.json?["jobs"] as? [[String: Any]])
    #expect(jobs.map { ($0["error"] as? [String: Any])?["exit_code"] as? Int } == [64, nil])
    let output = try #require(Wave(try folder.read("out/g.wav")))
    #expect(output.data == Self.good.data && folder.has("r.g.wav.json") && !folder.has("r.f.txt.json"))
    let single = try Tool.run("process f.txt --out-dir one", in: folder)
    #expect(single.status == 64 && !folder.has("one"), "\(single.errors)")
    let plan = try Tool.run("process f.txt g.wav --out-dir new --dry-run", in: folder)
    #expect(plan.status == 1 && plan.errors.contains("'f.txt'") && !folder.has("new"), "\(plan.errors)")
  }

  @Test("an empty data chunk before other chunks is read as no sound")
  func emptyData() throws {
    let folder = try Workspace()
    var empty = Self.good
    empty.data = []
    var file = empty.file() + Array("LIST".utf8) + Wave.bytes(UInt32(8)) + Array("INFOICMT".utf8)
    file.replaceSubrange(4..<8, with: Wave.bytes(UInt32(file.count - 8)))
    try folder.write("in.wav", file)
    for line in ["$A process in.wav -o out.wav", "cat in.wav | $A process - -o out.wav"] {
      let ending = try Tool.shell(line + " --overwrite", in: folder)
      #expect(ending.status == 0 && ending.errors.contains("error") == false, "\(ending.errors)")
      #expect(try #require(Wave(try folder.read("out.wav"))).data.isEmpty)
    }
  }
}
